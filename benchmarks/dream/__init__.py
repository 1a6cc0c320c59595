"""How well methods find the networks of the DREAM challenges, and others that are known."""
