/*
The tiles of tiles_async with one buffer and plain loads: a block loads a tile into registers, stores it to shared
memory, works on it, and only then begins to load the next one. Each tile takes the whole latency of a load.

[lanescope]
block = 128

[buffers]
p = "u32 i:1024"

[buffers.q]
type = "u32"
axes = "i:1024"
init = "zeros"
expect = "sha256 338ffbecf61bbe40d54415915fff2cf0bfa7165045075ebd78998da9c19bfbab"
*/
__global__ void __launch_bounds__(128) tiles_waiting(const uint *p, uint *q, uint n)
{
    __shared__ uint tile[128];
    uint t = threadIdx.x;

    for (uint first = 0; first < n; first += 128) {
        tile[t] = p[first + t];
        __syncthreads();
        uint x = tile[127 - t];
        q[first + t] = x;
        __syncthreads();
    }
}
