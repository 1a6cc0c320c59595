"""The parents that nodes can choose along an order."""
