/*
A copy through shared memory: no thread reads what another one stored, so neither the memory nor the barrier is
needed. Each load of a warp is 4 sectors, all of their bytes used; downsample_2 and downsample_4 leave elements out.

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
__global__ void __launch_bounds__(128) downsample_1(const float *in, float *out, uint n)
{
    __shared__ float kept[128];
    uint i = 128 * blockIdx.x + threadIdx.x;

    if (i < n) {
        float x = in[i];

        // x has the following register assignment:
        //   thread:    t4 t3 t2 t1 t0  <->  i4 i3 i2 i1 i0
        //   warp:      w1 w0           <->  i6 i5
        //   block:     b2 b1 b0        <->  i9 i8 i7

        kept[threadIdx.x] = x;
    }
    // lanescope: expect barrier-unneeded
    __syncthreads();
    if (i < n / 1) out[i] = kept[threadIdx.x];
}
