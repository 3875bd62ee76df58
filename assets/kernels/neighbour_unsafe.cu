/*
neighbour_shared without its barriers: each lane stores its value and reads its right neighbour's, and only `volatile`
keeps the compiler from holding the values in registers. It was never guaranteed that all lanes have stored before one
reads, and since compute capability 7.0 it is false: a race between lanes, twice a round. It saves two barriers of the
warp a round, and neighbour_shuffle saves more, without the race.

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
__global__ void __launch_bounds__(128) neighbour_unsafe(const float *p, float *q, uint rounds)
{
    __shared__ volatile float values[128];
    uint lane = threadIdx.x % 32, right = threadIdx.x - lane + (lane + 1) % 32;

    float x = p[128 * blockIdx.x + threadIdx.x];

    // x has the following register assignment:
    //   thread:    t4 t3 t2 t1 t0  <->  i4 i3 i2 i1 i0
    //   warp:      w1 w0           <->  i6 i5
    //   block:     b0              <->  i7

    // lanescope: expect warp-sync-missing
    #pragma unroll 1
    for (uint round = 0; round < rounds; round++) {
        values[threadIdx.x] = x;
        x = values[right];
    }

    q[128 * blockIdx.x + threadIdx.x] = x;
}
