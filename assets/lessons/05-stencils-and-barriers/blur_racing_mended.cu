/*
A blur from shared memory, with its barrier.

[lanescope]
grid = 8
block = 128

[buffers]
in = "f32 i:1024"

[buffers.out]
type = "f32"
axes = "i:1024"
init = "zeros"
expect = "sha256 6d6c461b757a920d380a1f17288a7414e2a14d61ba8ad97033cbd22090d03ae3"
*/
__global__ void __launch_bounds__(128) blur(const float *in, float *out, uint n)
{
    __shared__ float field[130];
    uint i = 128 * blockIdx.x + threadIdx.x, k = threadIdx.x + 1;

    float x = in[min(i, n - 1)];

    // x has the following register assignment:
    //   thread:    t4 t3 t2 t1 t0  <->  i4 i3 i2 i1 i0
    //   warp:      w1 w0           <->  i6 i5
    //   block:     b2 b1 b0        <->  i9 i8 i7

    field[k] = x;
    if (threadIdx.x == 0) field[0] = in[max(i, 1) - 1];
    if (threadIdx.x == 127) field[129] = in[min(i + 1, n - 1)];

    __syncthreads();
    if (i < n) out[i] = 0.25f * (field[k - 1] + 2 * field[k] + field[k + 1]);
}
