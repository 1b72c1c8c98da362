"""Virtual time: the parallel search over simulated analysers."""
