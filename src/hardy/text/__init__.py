"""Classifiers of texts: word stems, weighted and scaled, in front of any classifier."""

from hardy.text.pipelines import make_text_filter
from hardy.text.stems import StemCounter
from hardy.text.tfidf import UnsmoothedTfidfTransformer

__all__ = ["StemCounter", "UnsmoothedTfidfTransformer", "make_text_filter"]
