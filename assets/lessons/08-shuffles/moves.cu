/*
Lane numbers, exchanged in pairs and moved down by four.

[lanescope]
block = 32

[buffers]
p = "u32 i:32"
paired = "u32 i:32 = zeros"
down = "u32 i:32 = zeros"
*/
__global__ void __launch_bounds__(32) moves(const uint *p, uint *paired, uint *down)
{
    uint x = p[threadIdx.x];
    paired[threadIdx.x] = __shfl_xor_sync(0xffffffff, x, 5);
    down[threadIdx.x] = __shfl_down_sync(0xffffffff, x, 4);
}
