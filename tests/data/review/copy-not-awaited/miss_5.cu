/*
A barrier object waits for the copies, and the threads for the object.

[lanescope]
block = 64

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
*/
__device__ void copy(float *to, const float *from)
{
    unsigned at = (unsigned)__cvta_generic_to_shared(to);
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(at), "l"(from) : "memory");
}
__device__ void commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }
template <int n>
__device__ void wait() { asm volatile("cp.async.wait_group %0;" ::"n"(n) : "memory"); }
__global__ void __launch_bounds__(64) k(const float *p, float *q)
{
    __shared__ float s[64];
    __shared__ unsigned long long ready;
    unsigned object = (unsigned)__cvta_generic_to_shared(&ready);
    if (threadIdx.x == 0) asm volatile("mbarrier.init.shared.b64 [%0], 64;" ::"r"(object) : "memory");
    __syncthreads();
    copy(&s[threadIdx.x], &p[threadIdx.x]);
    asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(object) : "memory");
    unsigned done = 0;
    while (done == 0)
        asm volatile("{ .reg .pred c; mbarrier.test_wait.parity.shared.b64 c, [%1], 0; selp.u32 %0, 1, 0, c; }"
                     : "=r"(done) : "r"(object) : "memory");
    q[threadIdx.x] = s[63 - threadIdx.x];
}
