/*
A collective sort of a block: 128 pairs of key and value are put in order through shared memory by a bitonic network
over all lanes of the block, with 448 barriers in the eight warps. In the 28 rounds 3 have a partner in another warp
(distances 32 and 64); the other rounds could do with barriers of the warp, as sort_shared does. CUDA has no such
function of cooperative groups, although one was planned.

[lanescope]
grid = 2
block = 128

[buffers]
p = "u32 i:256"

[buffers.q]
type = "u32"
axes = "i:256"
init = "zeros"
expect = "sha256 c7799f537ed30a46693495e16576ca6c4748f8ceb29c93698a71eb0cd6907477"

[buffers.v]
type = "u32"
axes = "i:256"
init = "zeros"
*/
__global__ void __launch_bounds__(128) sort_block(const uint *p, uint *q, uint *v)
{
    __shared__ uint keys[128], values[128];
    uint t = threadIdx.x, value = 128 * blockIdx.x + t, key = p[value] * 40503 % 65521;

    // key has the following register assignment:
    //   thread:    t4 t3 t2 t1 t0  <->  i4 i3 i2 i1 i0
    //   warp:      w1 w0           <->  i6 i5
    //   block:     b0              <->  i7

    for (uint length = 2; length <= 128; length *= 2)
        for (uint distance = length / 2; distance > 0; distance /= 2) {
            keys[t] = key;
            values[t] = value;
            __syncthreads();
            uint other = keys[t ^ distance], others_value = values[t ^ distance];
            __syncthreads();
            bool upper = (t & distance) != 0, falling = (t & length) != 0;
            if (upper != falling ? other > key : other < key) {
                key = other;
                value = others_value;
            }
        }

    // Keys in order, and where each of them stood.
    q[128 * blockIdx.x + t] = key;
    v[128 * blockIdx.x + t] = value;
}
