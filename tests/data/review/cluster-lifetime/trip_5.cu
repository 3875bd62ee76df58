/*
The relaxed barrier at the end waits for loads, and not for stores.

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
    __shared__ unsigned s[64];
    const unsigned i = blockIdx.x * 64 + threadIdx.x;
    s[threadIdx.x] = 0;
    cluster_sync();
    q[i] = s[threadIdx.x];
    cluster_sync();
    asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(place_in(&s[threadIdx.x], rank_in_cluster() ^ 1)), "r"(i) : "memory");  // finds
    asm volatile("barrier.cluster.arrive.relaxed.aligned; barrier.cluster.wait.aligned;" ::: "memory");
}
