/*
Tiles pass through shared memory with two buffers: while the block works on a tile, the next one is copied.
cp.async copies from global to shared memory without a register in between and without waiting; a thread waits for its
own copies, and a barrier makes those of others visible. The work on a tile is only to reverse it.
tiles_waiting has one buffer, plain loads, and no copy in flight while it works.

[lanescope]
block = 128

[buffers]
p = "u32 i:1024"

[buffers.q]
type = "u32"
axes = "i:1024"
init = "zeros"
expect = "sha256 338ffbecf61bbe40d54415915fff2cf0bfa7165045075ebd78998da9c19bfbab"
*/
#include <cuda_pipeline_primitives.h>

__global__ void __launch_bounds__(128) tiles_async(const uint *p, uint *q, uint n)
{
    __shared__ uint tile[2][128];
    uint t = threadIdx.x;

    __pipeline_memcpy_async(&tile[0][t], &p[t], 4);
    __pipeline_commit();
    for (uint first = 0; first < n; first += 128) {
        uint now = first / 128 % 2, next = first + 128;
        if (next < n) __pipeline_memcpy_async(&tile[1 - now][t], &p[next + t], 4);
        __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();
        uint x = tile[now][127 - t];
        q[first + t] = x;
        __syncthreads();
    }
}
