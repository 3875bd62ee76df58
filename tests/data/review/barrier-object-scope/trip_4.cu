/*
A wait that may suspend its thread names no scope.

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
__device__ unsigned here(const void *p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); }
__device__ unsigned neighbour(const void *p)
{
    unsigned rank, there;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(here(p)), "r"(rank ^ 1));
    return there;
}
__global__ void __launch_bounds__(64) k(unsigned *q)
{
    __shared__ unsigned s[64];
    __shared__ unsigned long long object;
    if (threadIdx.x == 0) asm volatile("mbarrier.init.shared.b64 [%0], 64;" ::"r"(here(&object)) : "memory");
    cluster_sync();
    asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(neighbour(&s[threadIdx.x])), "r"(threadIdx.x) : "memory");
    asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(neighbour(&object)) : "memory");
    unsigned done = 0;
    while (done == 0)
        asm volatile("{ .reg .pred c; mbarrier.try_wait.parity.shared::cta.b64 c, [%1], 0; selp.u32 %0, 1, 0, c; }" : "=r"(done) : "r"(here(&object)) : "memory");  // finds
    q[64 * blockIdx.x + threadIdx.x] = s[63 - threadIdx.x];
    cluster_sync();
}
