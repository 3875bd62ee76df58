/*
A copy of every 2nd element through shared memory, as downsample_1 copies all. Shared memory is read and written
without bank conflicts, but each load of a warp is 8 sectors for the bytes of 4: half of what memory moves is thrown
away, and three quarters of it in downsample_4.

[lanescope]
grid = 4
block = 128

[buffers]
in = "f32 i:1024"

[buffers.out]
type = "f32"
axes = "i:512"
init = "zeros"
*/
__global__ void __launch_bounds__(128) downsample_2(const float *in, float *out, uint n)
{
    __shared__ float kept[128];
    uint i = 128 * blockIdx.x + threadIdx.x;

    if (2 * i < n) {
        float x = in[2 * i];

        // x has the following register assignment:
        //   thread:    t4 t3 t2 t1 t0  <->  i5 i4 i3 i2 i1
        //   warp:      w1 w0           <->  i7 i6
        //   block:     b1 b0           <->  i9 i8

        kept[threadIdx.x] = x;
    }
    // lanescope: expect partial-lines, barrier-unneeded
    __syncthreads();
    if (i < n / 2) out[i] = kept[threadIdx.x];
}
