/*
The two blurs of blur_twice in one pass: a block keeps the first one in shared memory, with one element more at either
end, and saves a round trip to memory. In blur_fused_short one element of the first blur is missing.

[lanescope]
grid = 8
block = 128

[buffers]
in = "f32 i:1024"

[buffers.out]
type = "f32"
axes = "i:1024"
init = "zeros"
expect = "sha256 a2f5e5aa0cf82606a7f49f051f09493c945f640fa8d73a1ff478c1458a67b3cb"
*/
__device__ float blurred(const float *in, uint i, uint n)
{
    return 0.25f * (in[max(i, 1) - 1] + 2 * in[i] + in[min(i + 1, n - 1)]);
}

__global__ void __launch_bounds__(128) blur_fused(const float *in, float *out, uint n)
{
    __shared__ float once[130];
    uint i = 128 * blockIdx.x + threadIdx.x, k = threadIdx.x + 1;

    // lanescope: expect partial-lines, divergence (a neighbour lies beyond the line; one lane adds the ends)
    once[k] = blurred(in, min(i, n - 1), n);
    if (threadIdx.x == 0) {
        once[0] = blurred(in, max(i, 1) - 1, n);
        once[129] = blurred(in, min(i + 128, n - 1), n);
    }
    __syncthreads();

    if (i < n) out[i] = 0.25f * (once[k - 1] + 2 * once[k] + once[k + 1]);
}
