/*
A warp reads 32 words from all over the array: each lies in a sector of its own, 32 sectors for the bytes of 4, an
eighth of what memory moves. read_strided shows the same in order, read_aligned the opposite.

[lanescope]
grid = 4
block = 128

[buffers]
p = "f32 i:4096"

[buffers.q]
type = "f32"
axes = "i:512"
init = "zeros"
*/
__global__ void __launch_bounds__(128) read_scattered(const float *p, float *q)
{
    uint i = 128 * blockIdx.x + threadIdx.x;
    uint at = i * 2654435769u >> 20;

    // lanescope: expect partial-lines
    float x = p[at];

    q[i] = x;
}
