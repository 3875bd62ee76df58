/*
A warp reads 32 consecutive words that start one word after a line's beginning: 5 sectors in 2 lines instead of the 4
in 1 of read_aligned. 128 of 160 bytes are used.

[lanescope]
grid = 4
block = 128

[buffers]
p = "f32 i:513"

[buffers.q]
type = "f32"
axes = "i:512"
init = "zeros"
*/
__global__ void __launch_bounds__(128) read_misaligned(const float *p, float *q)
{
    uint i = 128 * blockIdx.x + threadIdx.x;

    // lanescope: expect partial-lines
    float x = p[i + 1];

    q[i] = x;
}
