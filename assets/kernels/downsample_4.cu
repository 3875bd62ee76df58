/*
A copy of every 4th element through shared memory, as downsample_1 copies all. Each load of a warp is 16 sectors for
the bytes of 4: memory moves as much as for the whole array, and the kernel keeps a quarter (downsample_2: half).
Shared memory does not help, because the loads are strided.

[lanescope]
grid = 2
block = 128

[buffers]
in = "f32 i:1024"

[buffers.out]
type = "f32"
axes = "i:256"
init = "zeros"
*/
__global__ void __launch_bounds__(128) downsample_4(const float *in, float *out, uint n)
{
    __shared__ float kept[128];
    uint i = 128 * blockIdx.x + threadIdx.x;

    if (4 * i < n) {
        float x = in[4 * i];

        // x has the following register assignment:
        //   thread:    t4 t3 t2 t1 t0  <->  i6 i5 i4 i3 i2
        //   warp:      w1 w0           <->  i8 i7
        //   block:     b0              <->  i9

        kept[threadIdx.x] = x;
    }
    // lanescope: expect partial-lines, barrier-unneeded
    __syncthreads();
    if (i < n / 4) out[i] = kept[threadIdx.x];
}
