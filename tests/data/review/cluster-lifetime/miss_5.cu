/*
A flag tells the block that the neighbour has read, and only then does it end.

[lanescope]
grid = 4
block = 64
cluster = 2

[buffers]
q = "u32 i:256 = zeros"
*/
__device__ void cluster_sync()
{
    asm volatile("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;" ::: "memory");
}
__device__ unsigned rank_in_cluster()
{
    unsigned r;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(r));
    return r;
}
__device__ unsigned place_in(const void *p, unsigned rank)
{
    const unsigned here = static_cast<unsigned>(__cvta_generic_to_shared(p));
    unsigned there;
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(here), "r"(rank));
    return there;
}
__global__ void __launch_bounds__(64) k(unsigned *q)
{
    __shared__ unsigned s[64], flag;
    const unsigned i = blockIdx.x * 64 + threadIdx.x;
    s[threadIdx.x] = i;
    if (threadIdx.x == 0) flag = 0;
    cluster_sync();
    unsigned v;
    asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(v) : "r"(place_in(&s[threadIdx.x], rank_in_cluster() ^ 1)) : "memory");  // near
    __syncthreads();
    if (threadIdx.x == 0)
    {
        asm volatile("st.release.cluster.shared::cluster.u32 [%0], 1;" ::"r"(place_in(&flag, rank_in_cluster() ^ 1)) : "memory");
        unsigned seen = 0;
        while (seen == 0)
            asm volatile("ld.acquire.cluster.shared::cta.u32 %0, [%1];" : "=r"(seen) : "r"(static_cast<unsigned>(__cvta_generic_to_shared(&flag))) : "memory");
    }
    q[i] = v;
}
