"""Fitted models as ONNX graphs, which other programs and languages can run without Hardy."""

from hardy.onnx.export import to_onnx

__all__ = ["to_onnx"]
