/*
The bitonic sort of sort_shuffle through shared memory. The partner's key is read from there, which takes a store, a
load and two barriers of the warp a step (60 stores and 60 loads in the four warps here, against 60 shuffles), and 4
bytes of shared memory a thread.

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
__global__ void __launch_bounds__(64) sort_shared(const uint *p, uint *q)
{
    __shared__ uint keys[64];
    uint lane = threadIdx.x % 32, key = p[64 * blockIdx.x + threadIdx.x] * 40503 % 65521;

    // key has the following register assignment:
    //   thread:    t4 t3 t2 t1 t0  <->  i4 i3 i2 i1 i0
    //   warp:      w0              <->  i5
    //   block:     b0              <->  i6

    for (uint length = 2; length <= 32; length *= 2)
        for (uint distance = length / 2; distance > 0; distance /= 2) {
            keys[threadIdx.x] = key;
            __syncwarp();
            uint other = keys[threadIdx.x ^ distance];
            __syncwarp();
            bool upper = (lane & distance) != 0, falling = (lane & length) != 0;
            key = upper != falling ? max(key, other) : min(key, other);
        }

    q[64 * blockIdx.x + threadIdx.x] = key;
}
