/*
Wrong on purpose, as in a course's version of two blurs in one pass: the thread after the last result computes no first
blur, but the last result needs it, unless it is that of a block's last thread. With 128 elements, result 125 is made
from a word of shared memory that no thread wrote. blur_fused computes the first blur wherever it is read.

[lanescope]
block = 128
args = { n = 128 }

[buffers]
in = "f32 i:192"
out = "f32 i:192 = zeros"
*/
__device__ float blurred(const float *field, uint at)
{
    return 0.25f * (field[at - 1] + 2 * field[at] + field[at + 1]);
}

__global__ void __launch_bounds__(128) blur_fused_short(const float *in, float *out, uint n)
{
    __shared__ float once[132];
    uint i = 128 * blockIdx.x + threadIdx.x + 2, k = threadIdx.x + 2;

    if (i < n - 2) {
        // lanescope: expect uninitialised-read, partial-lines, divergence (neighbours lie beyond the line)
        once[k] = blurred(in, i);
        if (threadIdx.x == 0) {
            once[1] = blurred(in, i - 1);
            once[130] = blurred(in, i + 128);
        }
    }
    __syncthreads();

    if (i < n - 2) out[i] = blurred(once, k);
}
