/*
The same as neighbour_shared with a shuffle: one instruction a round, and neither memory nor barriers.

[lanescope]
grid = 2
block = 128
args = { rounds = 3 }

[buffers]
p = "f32 i:256"

[buffers.q]
type = "f32"
axes = "i:256"
init = "zeros"
expect = "sha256 86bd3798dfb100950285e29ee9e49dad0ac7ca414a0c9962fad61ab78ee916ab"
*/
__global__ void __launch_bounds__(128) neighbour_shuffle(const float *p, float *q, uint rounds)
{
    float x = p[128 * blockIdx.x + threadIdx.x];

    // x has the following register assignment:
    //   thread:    t4 t3 t2 t1 t0  <->  i4 i3 i2 i1 i0
    //   warp:      w1 w0           <->  i6 i5
    //   block:     b0              <->  i7

    #pragma unroll 1
    for (uint round = 0; round < rounds; round++)
        x = __shfl_sync(0xffffffff, x, threadIdx.x + 1);

    q[128 * blockIdx.x + threadIdx.x] = x;
}
