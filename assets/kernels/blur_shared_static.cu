/*
The blur of blur_once from shared memory: each element is loaded once, the first and the last thread fetch the
neighbours beyond the block, and a barrier comes before the neighbours are read. A third of the sectors is requested;
a cache would have served the others. The size of the array in shared memory is a constant; in blur_shared_dynamic the
launch gives it.

[lanescope]
grid = 8
block = 128

[buffers]
in = "f32 i:1024"

[buffers.out]
type = "f32"
axes = "i:1024"
init = "zeros"
*/
__global__ void __launch_bounds__(128) blur_shared_static(const float *in, float *out, uint n)
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
