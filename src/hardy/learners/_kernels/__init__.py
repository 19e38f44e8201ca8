"""Compiled inner loops, one module for each learner."""
