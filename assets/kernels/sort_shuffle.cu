/*
A warp sorts 32 keys, one a lane, by a bitonic network: in each of 15 steps two lanes whose numbers differ in one bit
exchange their keys by a shuffle, and one of them keeps the smaller, the other the larger. Two bits of the lane's
number decide which, so that no lane ever branches on a key. sort_shared does the same through
shared memory.

[lanescope]
grid = 2
block = 64

[buffers]
p = "u32 i:128"

[buffers.q]
type = "u32"
axes = "i:128"
init = "zeros"
expect = "sha256 3c791509a1ed60052b1cccd45305ff4aca8daef56f3cc3a8a0021af07ec638be"
*/
__global__ void __launch_bounds__(64) sort_shuffle(const uint *p, uint *q)
{
    uint lane = threadIdx.x % 32, key = p[64 * blockIdx.x + threadIdx.x] * 40503 % 65521;

    // key has the following register assignment:
    //   thread:    t4 t3 t2 t1 t0  <->  i4 i3 i2 i1 i0
    //   warp:      w0              <->  i5
    //   block:     b0              <->  i6

    for (uint length = 2; length <= 32; length *= 2)
        for (uint distance = length / 2; distance > 0; distance /= 2) {
            uint other = __shfl_xor_sync(0xffffffff, key, distance);
            bool upper = (lane & distance) != 0, falling = (lane & length) != 0;
            key = upper != falling ? max(key, other) : min(key, other);
        }

    q[64 * blockIdx.x + threadIdx.x] = key;
}
