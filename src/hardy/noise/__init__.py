"""Label noise: models that inject it, and estimates of how much of it there is."""

from hardy.noise.estimation import NoiseEstimate, estimate_noise
from hardy.noise.injection import flip_labels

__all__ = ["NoiseEstimate", "estimate_noise", "flip_labels"]
