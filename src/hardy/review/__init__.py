"""A local page on which people decide about suspects, one by one."""

from hardy.review.server import serve_review

__all__ = ["serve_review"]
