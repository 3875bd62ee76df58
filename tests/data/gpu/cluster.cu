/* Blocks of a cluster read each other's shared memory, which the emulator does not have.
[lanescope]
grid = 8
block = 32
cluster = 2
args = ["y"]
[buffers]
y = { type = "u32", axes = "i:256", init = "zeros" }
*/
__global__ void k(unsigned* y) {
  __shared__ unsigned mine[32];
  mine[threadIdx.x] = 100 * blockIdx.x + threadIdx.x;
  asm volatile("barrier.cluster.arrive.aligned;\n barrier.cluster.wait.aligned;" ::: "memory");
  unsigned rank, there, value;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  const unsigned here = static_cast<unsigned>(__cvta_generic_to_shared(&mine[threadIdx.x]));
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(here), "r"(rank ^ 1));
  asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(value) : "r"(there) : "memory");
  y[32 * blockIdx.x + threadIdx.x] = value;
  asm volatile("barrier.cluster.arrive.aligned;\n barrier.cluster.wait.aligned;" ::: "memory");
}
