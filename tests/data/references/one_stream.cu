/*
The second launch reads what the first one writes, in the same stream: launches of a stream run one after another.

[lanescope]

[[launch]]
kernel = "write"
block = 32
stream = 0
args = ["p"]

[[launch]]
kernel = "twice"
block = 32
stream = 0
args = ["p", "q"]

[buffers]
p = "u32 i:32 = zeros"
q = { type = "u32", axes = "i:32", init = "zeros", expect = [42, 42, 42, 42, 42, 42, 42, 42, 42, 42, 42, 42, 42, 42, 42, 42, 42, 42, 42, 42, 42, 42, 42, 42, 42, 42, 42, 42, 42, 42, 42, 42] }
*/
__global__ void __launch_bounds__(32) write(unsigned *p) { p[threadIdx.x] = 21; }
__global__ void __launch_bounds__(32) twice(const unsigned *p, unsigned *q) { q[threadIdx.x] = 2 * p[threadIdx.x]; }
