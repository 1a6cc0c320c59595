"""Kernels of CUDA: imported only where there is a card, or its simulator."""
