/*
Threads of one block wait for each other: the block is the right scope.

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
    s[threadIdx.x] = threadIdx.x;
    asm volatile("{ .reg .b64 t; mbarrier.arrive.shared::cta.b64 t, [%0]; }" ::"r"(here(&object)) : "memory");
    unsigned done = 0;
    while (done == 0)
        asm volatile("{ .reg .pred c; mbarrier.test_wait.parity.shared::cta.b64 c, [%1], 0; selp.u32 %0, 1, 0, c; }" : "=r"(done) : "r"(here(&object)) : "memory");
    q[64 * blockIdx.x + threadIdx.x] = s[63 - threadIdx.x];
    cluster_sync();
}
