"""Kernels for graphics cards, each with the inputs and outputs of its twin on the processor.

Nothing here loads CUDA until a kernel is asked for. Sizes of blocks and tiles are arguments of the functions
that make kernels, so that numba's simulator of CUDA can run them at tiny sizes.
"""
