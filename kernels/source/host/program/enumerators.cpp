#include "kernels/source/host/program/enumerators.h"

#include <algorithm>
#include <charconv>
#include <deque>
#include <string>
#include <vector>

namespace lanescope::source::host {
namespace {

/// Enumerators that begin alike, by their values; a value that is not stated is one more than that before it, the first one 0.
struct Alike {
  std::string_view prefix, names;
};
// clang-format off
constexpr Alike alike[] = {
      {"", "CUDA_SUCCESS CU_STREAM_DEFAULT=0 CU_STREAM_NON_BLOCKING"},
      {"CUDA_ERROR_", "INVALID_VALUE=1 OUT_OF_MEMORY NOT_INITIALIZED DEINITIALIZED PROFILER_DISABLED "
       "PROFILER_NOT_INITIALIZED PROFILER_ALREADY_STARTED PROFILER_ALREADY_STOPPED STUB_LIBRARY=34 "
       "CALL_REQUIRES_NEWER_DRIVER=36 DEVICE_UNAVAILABLE=46 NO_DEVICE=100 INVALID_DEVICE DEVICE_NOT_LICENSED "
       "INVALID_IMAGE=200 INVALID_CONTEXT CONTEXT_ALREADY_CURRENT MAP_FAILED=205 UNMAP_FAILED ARRAY_IS_MAPPED "
       "ALREADY_MAPPED NO_BINARY_FOR_GPU ALREADY_ACQUIRED NOT_MAPPED NOT_MAPPED_AS_ARRAY NOT_MAPPED_AS_POINTER "
       "ECC_UNCORRECTABLE UNSUPPORTED_LIMIT CONTEXT_ALREADY_IN_USE PEER_ACCESS_UNSUPPORTED INVALID_PTX "
       "INVALID_GRAPHICS_CONTEXT NVLINK_UNCORRECTABLE JIT_COMPILER_NOT_FOUND UNSUPPORTED_PTX_VERSION "
       "JIT_COMPILATION_DISABLED UNSUPPORTED_EXEC_AFFINITY UNSUPPORTED_DEVSIDE_SYNC CONTAINED INVALID_SOURCE=300 "
       "FILE_NOT_FOUND SHARED_OBJECT_SYMBOL_NOT_FOUND SHARED_OBJECT_INIT_FAILED OPERATING_SYSTEM INVALID_HANDLE=400 "
       "ILLEGAL_STATE LOSSY_QUERY NOT_FOUND=500 NOT_READY=600 ILLEGAL_ADDRESS=700 LAUNCH_OUT_OF_RESOURCES "
       "LAUNCH_TIMEOUT LAUNCH_INCOMPATIBLE_TEXTURING PEER_ACCESS_ALREADY_ENABLED PEER_ACCESS_NOT_ENABLED "
       "PRIMARY_CONTEXT_ACTIVE=708 CONTEXT_IS_DESTROYED ASSERT TOO_MANY_PEERS HOST_MEMORY_ALREADY_REGISTERED "
       "HOST_MEMORY_NOT_REGISTERED HARDWARE_STACK_ERROR ILLEGAL_INSTRUCTION MISALIGNED_ADDRESS INVALID_ADDRESS_SPACE "
       "INVALID_PC LAUNCH_FAILED COOPERATIVE_LAUNCH_TOO_LARGE TENSOR_MEMORY_LEAK NOT_PERMITTED=800 NOT_SUPPORTED "
       "SYSTEM_NOT_READY SYSTEM_DRIVER_MISMATCH COMPAT_NOT_SUPPORTED_ON_DEVICE MPS_CONNECTION_FAILED MPS_RPC_FAILURE "
       "MPS_SERVER_NOT_READY MPS_MAX_CLIENTS_REACHED MPS_MAX_CONNECTIONS_REACHED MPS_CLIENT_TERMINATED "
       "CDP_NOT_SUPPORTED CDP_VERSION_MISMATCH STREAM_CAPTURE_UNSUPPORTED=900 STREAM_CAPTURE_INVALIDATED "
       "STREAM_CAPTURE_MERGE STREAM_CAPTURE_UNMATCHED STREAM_CAPTURE_UNJOINED STREAM_CAPTURE_ISOLATION "
       "STREAM_CAPTURE_IMPLICIT CAPTURED_EVENT STREAM_CAPTURE_WRONG_THREAD TIMEOUT GRAPH_EXEC_UPDATE_FAILURE "
       "EXTERNAL_DEVICE INVALID_CLUSTER_SIZE FUNCTION_NOT_LOADED INVALID_RESOURCE_TYPE "
       "INVALID_RESOURCE_CONFIGURATION KEY_ROTATION UNKNOWN=999"},
      {"CU_COMPUTEMODE_", "DEFAULT PROHIBITED=2 EXCLUSIVE_PROCESS"},
      {"CU_CTX_", "SCHED_AUTO SCHED_SPIN SCHED_YIELD BLOCKING_SYNC=4 SCHED_BLOCKING_SYNC=4 SCHED_MASK=7 MAP_HOST "
       "COREDUMP_ENABLE=32 USER_COREDUMP_ENABLE=64 SYNC_MEMOPS=128 FLAGS_MASK=255"},
      {"CU_DEVICE_ATTRIBUTE_", "MAX_THREADS_PER_BLOCK=1 MAX_BLOCK_DIM_X MAX_BLOCK_DIM_Y MAX_BLOCK_DIM_Z "
       "MAX_GRID_DIM_X MAX_GRID_DIM_Y MAX_GRID_DIM_Z MAX_SHARED_MEMORY_PER_BLOCK SHARED_MEMORY_PER_BLOCK=8 "
       "TOTAL_CONSTANT_MEMORY WARP_SIZE MAX_PITCH MAX_REGISTERS_PER_BLOCK REGISTERS_PER_BLOCK=12 CLOCK_RATE "
       "TEXTURE_ALIGNMENT GPU_OVERLAP MULTIPROCESSOR_COUNT KERNEL_EXEC_TIMEOUT INTEGRATED CAN_MAP_HOST_MEMORY "
       "COMPUTE_MODE MAXIMUM_TEXTURE1D_WIDTH MAXIMUM_TEXTURE2D_WIDTH MAXIMUM_TEXTURE2D_HEIGHT "
       "MAXIMUM_TEXTURE3D_WIDTH MAXIMUM_TEXTURE3D_HEIGHT MAXIMUM_TEXTURE3D_DEPTH MAXIMUM_TEXTURE2D_ARRAY_WIDTH "
       "MAXIMUM_TEXTURE2D_LAYERED_WIDTH=27 MAXIMUM_TEXTURE2D_ARRAY_HEIGHT MAXIMUM_TEXTURE2D_LAYERED_HEIGHT=28 "
       "MAXIMUM_TEXTURE2D_ARRAY_NUMSLICES MAXIMUM_TEXTURE2D_LAYERED_LAYERS=29 SURFACE_ALIGNMENT CONCURRENT_KERNELS "
       "ECC_ENABLED PCI_BUS_ID PCI_DEVICE_ID TCC_DRIVER MEMORY_CLOCK_RATE GLOBAL_MEMORY_BUS_WIDTH L2_CACHE_SIZE "
       "MAX_THREADS_PER_MULTIPROCESSOR ASYNC_ENGINE_COUNT UNIFIED_ADDRESSING MAXIMUM_TEXTURE1D_LAYERED_WIDTH "
       "MAXIMUM_TEXTURE1D_LAYERED_LAYERS CAN_TEX2D_GATHER MAXIMUM_TEXTURE2D_GATHER_WIDTH "
       "MAXIMUM_TEXTURE2D_GATHER_HEIGHT MAXIMUM_TEXTURE3D_WIDTH_ALTERNATE MAXIMUM_TEXTURE3D_HEIGHT_ALTERNATE "
       "MAXIMUM_TEXTURE3D_DEPTH_ALTERNATE PCI_DOMAIN_ID TEXTURE_PITCH_ALIGNMENT MAXIMUM_TEXTURECUBEMAP_WIDTH "
       "MAXIMUM_TEXTURECUBEMAP_LAYERED_WIDTH MAXIMUM_TEXTURECUBEMAP_LAYERED_LAYERS MAXIMUM_SURFACE1D_WIDTH "
       "MAXIMUM_SURFACE2D_WIDTH MAXIMUM_SURFACE2D_HEIGHT MAXIMUM_SURFACE3D_WIDTH MAXIMUM_SURFACE3D_HEIGHT "
       "MAXIMUM_SURFACE3D_DEPTH MAXIMUM_SURFACE1D_LAYERED_WIDTH MAXIMUM_SURFACE1D_LAYERED_LAYERS "
       "MAXIMUM_SURFACE2D_LAYERED_WIDTH MAXIMUM_SURFACE2D_LAYERED_HEIGHT MAXIMUM_SURFACE2D_LAYERED_LAYERS "
       "MAXIMUM_SURFACECUBEMAP_WIDTH MAXIMUM_SURFACECUBEMAP_LAYERED_WIDTH MAXIMUM_SURFACECUBEMAP_LAYERED_LAYERS "
       "MAXIMUM_TEXTURE1D_LINEAR_WIDTH MAXIMUM_TEXTURE2D_LINEAR_WIDTH MAXIMUM_TEXTURE2D_LINEAR_HEIGHT "
       "MAXIMUM_TEXTURE2D_LINEAR_PITCH MAXIMUM_TEXTURE2D_MIPMAPPED_WIDTH MAXIMUM_TEXTURE2D_MIPMAPPED_HEIGHT "
       "COMPUTE_CAPABILITY_MAJOR COMPUTE_CAPABILITY_MINOR MAXIMUM_TEXTURE1D_MIPMAPPED_WIDTH "
       "STREAM_PRIORITIES_SUPPORTED GLOBAL_L1_CACHE_SUPPORTED LOCAL_L1_CACHE_SUPPORTED "
       "MAX_SHARED_MEMORY_PER_MULTIPROCESSOR MAX_REGISTERS_PER_MULTIPROCESSOR MANAGED_MEMORY MULTI_GPU_BOARD "
       "MULTI_GPU_BOARD_GROUP_ID HOST_NATIVE_ATOMIC_SUPPORTED SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO "
       "PAGEABLE_MEMORY_ACCESS CONCURRENT_MANAGED_ACCESS COMPUTE_PREEMPTION_SUPPORTED "
       "CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM CAN_USE_STREAM_MEM_OPS_V1 CAN_USE_64_BIT_STREAM_MEM_OPS_V1 "
       "CAN_USE_STREAM_WAIT_VALUE_NOR_V1 COOPERATIVE_LAUNCH COOPERATIVE_MULTI_DEVICE_LAUNCH "
       "MAX_SHARED_MEMORY_PER_BLOCK_OPTIN CAN_FLUSH_REMOTE_WRITES HOST_REGISTER_SUPPORTED "
       "PAGEABLE_MEMORY_ACCESS_USES_HOST_PAGE_TABLES DIRECT_MANAGED_MEM_ACCESS_FROM_HOST "
       "VIRTUAL_ADDRESS_MANAGEMENT_SUPPORTED VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED=102 "
       "HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED HANDLE_TYPE_WIN32_HANDLE_SUPPORTED "
       "HANDLE_TYPE_WIN32_KMT_HANDLE_SUPPORTED MAX_BLOCKS_PER_MULTIPROCESSOR GENERIC_COMPRESSION_SUPPORTED "
       "MAX_PERSISTING_L2_CACHE_SIZE MAX_ACCESS_POLICY_WINDOW_SIZE GPU_DIRECT_RDMA_WITH_CUDA_VMM_SUPPORTED "
       "RESERVED_SHARED_MEMORY_PER_BLOCK SPARSE_CUDA_ARRAY_SUPPORTED READ_ONLY_HOST_REGISTER_SUPPORTED "
       "TIMELINE_SEMAPHORE_INTEROP_SUPPORTED MEMORY_POOLS_SUPPORTED GPU_DIRECT_RDMA_SUPPORTED "
       "GPU_DIRECT_RDMA_FLUSH_WRITES_OPTIONS GPU_DIRECT_RDMA_WRITES_ORDERING MEMPOOL_SUPPORTED_HANDLE_TYPES "
       "CLUSTER_LAUNCH DEFERRED_MAPPING_CUDA_ARRAY_SUPPORTED CAN_USE_64_BIT_STREAM_MEM_OPS "
       "CAN_USE_STREAM_WAIT_VALUE_NOR DMA_BUF_SUPPORTED IPC_EVENT_SUPPORTED MEM_SYNC_DOMAIN_COUNT "
       "TENSOR_MAP_ACCESS_SUPPORTED HANDLE_TYPE_FABRIC_SUPPORTED UNIFIED_FUNCTION_POINTERS NUMA_CONFIG NUMA_ID "
       "MULTICAST_SUPPORTED MPS_ENABLED HOST_NUMA_ID D3D12_CIG_SUPPORTED MEM_DECOMPRESS_ALGORITHM_MASK "
       "MEM_DECOMPRESS_MAXIMUM_LENGTH VULKAN_CIG_SUPPORTED GPU_PCI_DEVICE_ID GPU_PCI_SUBSYSTEM_ID "
       "HOST_NUMA_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED HOST_NUMA_MEMORY_POOLS_SUPPORTED "
       "HOST_NUMA_MULTINODE_IPC_SUPPORTED HOST_MEMORY_POOLS_SUPPORTED HOST_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED "
       "HOST_ALLOC_DMA_BUF_SUPPORTED ONLY_PARTIAL_HOST_NATIVE_ATOMIC_SUPPORTED"},
      {"CU_EVENT_", "DEFAULT BLOCKING_SYNC DISABLE_TIMING INTERPROCESS=4"},
      {"CU_FUNC_ATTRIBUTE_", "MAX_THREADS_PER_BLOCK SHARED_SIZE_BYTES CONST_SIZE_BYTES LOCAL_SIZE_BYTES NUM_REGS "
       "PTX_VERSION BINARY_VERSION CACHE_MODE_CA MAX_DYNAMIC_SHARED_SIZE_BYTES PREFERRED_SHARED_MEMORY_CARVEOUT "
       "CLUSTER_SIZE_MUST_BE_SET REQUIRED_CLUSTER_WIDTH REQUIRED_CLUSTER_HEIGHT REQUIRED_CLUSTER_DEPTH "
       "NON_PORTABLE_CLUSTER_SIZE_ALLOWED CLUSTER_SCHEDULING_POLICY_PREFERENCE"},
      {"CU_FUNC_CACHE_PREFER_", "NONE SHARED L1 EQUAL"},
      {"CU_JIT_", "MAX_REGISTERS THREADS_PER_BLOCK WALL_TIME INFO_LOG_BUFFER INFO_LOG_BUFFER_SIZE_BYTES "
       "ERROR_LOG_BUFFER ERROR_LOG_BUFFER_SIZE_BYTES OPTIMIZATION_LEVEL TARGET_FROM_CUCONTEXT TARGET "
       "FALLBACK_STRATEGY GENERATE_DEBUG_INFO LOG_VERBOSE GENERATE_LINE_INFO CACHE_MODE NEW_SM3X_OPT FAST_COMPILE "
       "GLOBAL_SYMBOL_NAMES GLOBAL_SYMBOL_ADDRESSES GLOBAL_SYMBOL_COUNT LTO FTZ PREC_DIV PREC_SQRT FMA "
       "REFERENCED_KERNEL_NAMES REFERENCED_KERNEL_COUNT REFERENCED_VARIABLE_NAMES REFERENCED_VARIABLE_COUNT "
       "OPTIMIZE_UNUSED_DEVICE_VARIABLES POSITION_INDEPENDENT_CODE MIN_CTA_PER_SM MAX_THREADS_PER_BLOCK "
       "OVERRIDE_DIRECTIVE_VALUES SPLIT_COMPILE NUM_OPTIONS"},
      {"CU_LIMIT_", "STACK_SIZE PRINTF_FIFO_SIZE MALLOC_HEAP_SIZE DEV_RUNTIME_SYNC_DEPTH "
       "DEV_RUNTIME_PENDING_LAUNCH_COUNT MAX_L2_FETCH_GRANULARITY PERSISTING_L2_CACHE_SIZE SHMEM_SIZE CIG_ENABLED "
       "CIG_SHMEM_FALLBACK_ENABLED"},
      {"CU_MEMORYTYPE_", "HOST=1 DEVICE ARRAY UNIFIED"},
      {"CU_TENSOR_MAP_", "DATA_TYPE_UINT8 FLOAT_OOB_FILL_NONE=0 INTERLEAVE_NONE=0 L2_PROMOTION_NONE=0 "
       "SWIZZLE_NONE=0 DATA_TYPE_UINT16 FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA=1 INTERLEAVE_16B=1 L2_PROMOTION_L2_64B=1 "
       "SWIZZLE_32B=1 DATA_TYPE_UINT32 INTERLEAVE_32B=2 L2_PROMOTION_L2_128B=2 SWIZZLE_64B=2 DATA_TYPE_INT32 "
       "L2_PROMOTION_L2_256B=3 SWIZZLE_128B=3 DATA_TYPE_UINT64 SWIZZLE_128B_ATOM_32B=4 DATA_TYPE_INT64 "
       "SWIZZLE_128B_ATOM_32B_FLIP_8B=5 DATA_TYPE_FLOAT16 SWIZZLE_128B_ATOM_64B=6 DATA_TYPE_FLOAT32 "
       "DATA_TYPE_FLOAT64 DATA_TYPE_BFLOAT16 DATA_TYPE_FLOAT32_FTZ DATA_TYPE_TFLOAT32 DATA_TYPE_TFLOAT32_FTZ "
       "DATA_TYPE_16U4_ALIGN8B DATA_TYPE_16U4_ALIGN16B DATA_TYPE_16U6_ALIGN16B"},
      {"cuda", "SharedmemCarveoutDefault=-1 AccessPropertyNormal AddressModeWrap=0 ArrayDefault=0 "
       "BoundaryModeZero=0 ChannelFormatKindSigned=0 ClusterSchedulingPolicyDefault=0 ComputeModeDefault=0 "
       "DeviceScheduleAuto=0 EventDefault=0 EventRecordDefault=0 EventWaitDefault=0 FilterModePoint=0 "
       "FuncCachePreferNone=0 GraphNodeTypeKernel=0 HostAllocDefault=0 HostRegisterDefault=0 LaunchAttributeIgnore=0 "
       "LimitStackSize=0 MemcpyHostToHost=0 MemoryTypeUnregistered=0 OccupancyDefault=0 PeerAccessDefault=0 "
       "ReadModeElementType=0 ResourceTypeArray=0 SharedMemBankSizeDefault=0 SharedmemCarveoutMaxL1=0 "
       "StreamCaptureModeGlobal=0 StreamCaptureStatusNone=0 StreamDefault=0 Success=0 AccessPropertyStreaming "
       "AddressModeClamp=1 ArrayLayered=1 ArraySparsePropertiesSingleMipTail=1 BoundaryModeClamp=1 "
       "ChannelFormatKindUnsigned=1 ClusterSchedulingPolicySpread=1 ComputeModeExclusive=1 "
       "DevAttrMaxThreadsPerBlock=1 DeviceScheduleSpin=1 ErrorInvalidValue=1 EventBlockingSync=1 "
       "EventRecordExternal=1 EventWaitExternal=1 FilterModeLinear=1 FuncCachePreferShared=1 GraphNodeTypeMemcpy=1 "
       "HostAllocPortable=1 HostRegisterPortable=1 IpcMemLazyEnablePeerAccess=1 LaunchAttributeAccessPolicyWindow=1 "
       "LimitPrintfFifoSize=1 MemAdviseSetReadMostly=1 MemAttachGlobal=1 MemPoolReuseFollowEventDependencies=1 "
       "MemRangeAttributeReadMostly=1 MemcpyHostToDevice=1 MemoryTypeHost=1 OccupancyDisableCachingOverride=1 "
       "ReadModeNormalizedFloat=1 ResourceTypeMipmappedArray=1 SharedMemBankSizeFourByte=1 "
       "StreamCaptureModeThreadLocal=1 StreamCaptureStatusActive=1 StreamNonBlocking=1 SyncPolicyAuto=1 "
       "AccessPropertyPersisting AddressModeMirror=2 ArraySurfaceLoadStore=2 BoundaryModeTrap=2 "
       "ChannelFormatKindFloat=2 ClusterSchedulingPolicyLoadBalancing=2 ComputeModeProhibited=2 "
       "DevAttrMaxBlockDimX=2 DeviceScheduleYield=2 ErrorMemoryAllocation=2 EventDisableTiming=2 FuncCachePreferL1=2 "
       "GraphNodeTypeMemset=2 HostAllocMapped=2 HostRegisterMapped=2 LaunchAttributeCooperative=2 "
       "LimitMallocHeapSize=2 MemAdviseUnsetReadMostly=2 MemAttachHost=2 MemPoolReuseAllowOpportunistic=2 "
       "MemRangeAttributePreferredLocation=2 MemcpyDeviceToHost=2 MemoryTypeDevice=2 ResourceTypeLinear=2 "
       "SharedMemBankSizeEightByte=2 StreamCaptureModeRelaxed=2 StreamCaptureStatusInvalidated=2 SyncPolicySpin=2 "
       "AddressModeBorder ChannelFormatKindNone=3 ComputeModeExclusiveProcess=3 DevAttrMaxBlockDimY=3 "
       "ErrorInitializationError=3 FuncCachePreferEqual=3 GraphNodeTypeHost=3 LaunchAttributeSynchronizationPolicy=3 "
       "LimitDevRuntimeSyncDepth=3 MemAdviseSetPreferredLocation=3 MemPoolReuseAllowInternalDependencies=3 "
       "MemRangeAttributeAccessedBy=3 MemcpyDeviceToDevice=3 MemoryTypeManaged=3 ResourceTypePitch2D=3 "
       "SyncPolicyYield=3 ArrayCubemap ChannelFormatKindNV12=4 DevAttrMaxBlockDimZ=4 DeviceBlockingSync=4 "
       "DeviceScheduleBlockingSync=4 ErrorCudartUnloading=4 EventInterprocess=4 GraphNodeTypeGraph=4 "
       "HostAllocWriteCombined=4 HostRegisterIoMemory=4 LaunchAttributeClusterDimension=4 "
       "LimitDevRuntimePendingLaunchCount=4 MemAdviseUnsetPreferredLocation=4 MemAttachSingle=4 "
       "MemPoolAttrReleaseThreshold=4 MemRangeAttributeLastPrefetchLocation=4 MemcpyDefault=4 "
       "SyncPolicyBlockingSync=4 ChannelFormatKindUnsignedNormalized8X1 DevAttrMaxGridDimX=5 ErrorProfilerDisabled=5 "
       "GraphNodeTypeEmpty=5 LaunchAttributeClusterSchedulingPolicyPreference=5 LimitMaxL2FetchGranularity=5 "
       "MemAdviseSetAccessedBy=5 MemPoolAttrReservedMemCurrent=5 MemRangeAttributePreferredLocationType=5 "
       "ChannelFormatKindUnsignedNormalized8X2 DevAttrMaxGridDimY=6 ErrorProfilerNotInitialized=6 "
       "GraphNodeTypeWaitEvent=6 LaunchAttributeProgrammaticStreamSerialization=6 LimitPersistingL2CacheSize=6 "
       "MemAdviseUnsetAccessedBy=6 MemPoolAttrReservedMemHigh=6 MemRangeAttributePreferredLocationId=6 "
       "ChannelFormatKindUnsignedNormalized8X4 DevAttrMaxGridDimZ=7 DeviceScheduleMask=7 "
       "ErrorProfilerAlreadyStarted=7 GraphNodeTypeEventRecord=7 LaunchAttributeProgrammaticEvent=7 "
       "MemPoolAttrUsedMemCurrent=7 MemRangeAttributeLastPrefetchLocationType=7 ArrayTextureGather "
       "ChannelFormatKindUnsignedNormalized16X1=8 DevAttrMaxSharedMemoryPerBlock=8 DeviceMapHost=8 "
       "ErrorProfilerAlreadyStopped=8 FuncAttributeMaxDynamicSharedMemorySize=8 GraphNodeTypeExtSemaphoreSignal=8 "
       "HostRegisterReadOnly=8 LaunchAttributePriority=8 MemPoolAttrUsedMemHigh=8 "
       "MemRangeAttributeLastPrefetchLocationId=8 ChannelFormatKindUnsignedNormalized16X2 "
       "DevAttrTotalConstantMemory=9 ErrorInvalidConfiguration=9 FuncAttributePreferredSharedMemoryCarveout=9 "
       "GraphNodeTypeExtSemaphoreWait=9 LaunchAttributeMemSyncDomainMap=9 ChannelFormatKindUnsignedNormalized16X4 "
       "DevAttrWarpSize=10 FuncAttributeClusterDimMustBeSet=10 GraphNodeTypeMemAlloc=10 "
       "LaunchAttributeMemSyncDomain=10 ChannelFormatKindSignedNormalized8X1 DevAttrMaxPitch=11 "
       "FuncAttributeRequiredClusterWidth=11 GraphNodeTypeMemFree=11 LaunchAttributePreferredClusterDimension=11 "
       "ChannelFormatKindSignedNormalized8X2 DevAttrMaxRegistersPerBlock=12 ErrorInvalidPitchValue=12 "
       "FuncAttributeRequiredClusterHeight=12 LaunchAttributeLaunchCompletionEvent=12 "
       "ChannelFormatKindSignedNormalized8X4 DevAttrClockRate=13 ErrorInvalidSymbol=13 "
       "FuncAttributeRequiredClusterDepth=13 GraphNodeTypeConditional=13 LaunchAttributeDeviceUpdatableKernelNode=13 "
       "ChannelFormatKindSignedNormalized16X1 DevAttrTextureAlignment=14 "
       "FuncAttributeNonPortableClusterSizeAllowed=14 GraphNodeTypeCount=14 "
       "LaunchAttributePreferredSharedMemoryCarveout=14 ChannelFormatKindSignedNormalized16X2 DevAttrGpuOverlap=15 "
       "FuncAttributeClusterSchedulingPolicyPreference=15 ChannelFormatKindSignedNormalized16X4 "
       "DevAttrMultiProcessorCount=16 DeviceLmemResizeToMax=16 ErrorInvalidHostPointer=16 FuncAttributeMax=16 "
       "LaunchAttributeNvlinkUtilCentricScheduling=16 ChannelFormatKindUnsignedBlockCompressed1 "
       "DevAttrKernelExecTimeout=17 ErrorInvalidDevicePointer=17 ChannelFormatKindUnsignedBlockCompressed1SRGB "
       "DevAttrIntegrated=18 ErrorInvalidTexture=18 ChannelFormatKindUnsignedBlockCompressed2 "
       "DevAttrCanMapHostMemory=19 ErrorInvalidTextureBinding=19 ChannelFormatKindUnsignedBlockCompressed2SRGB "
       "DevAttrComputeMode=20 ErrorInvalidChannelDescriptor=20 ChannelFormatKindUnsignedBlockCompressed3 "
       "DevAttrMaxTexture1DWidth=21 ErrorInvalidMemcpyDirection=21 ChannelFormatKindUnsignedBlockCompressed3SRGB "
       "DevAttrMaxTexture2DWidth=22 ErrorAddressOfConstant=22 ChannelFormatKindUnsignedBlockCompressed4 "
       "DevAttrMaxTexture2DHeight=23 ErrorTextureFetchFailed=23 ChannelFormatKindSignedBlockCompressed4 "
       "DevAttrMaxTexture3DWidth=24 ErrorTextureNotBound=24 ChannelFormatKindUnsignedBlockCompressed5 "
       "DevAttrMaxTexture3DHeight=25 ErrorSynchronizationError=25 ChannelFormatKindSignedBlockCompressed5 "
       "DevAttrMaxTexture3DDepth=26 ErrorInvalidFilterSetting=26 ChannelFormatKindUnsignedBlockCompressed6H "
       "DevAttrMaxTexture2DLayeredWidth=27 ErrorInvalidNormSetting=27 ChannelFormatKindSignedBlockCompressed6H "
       "DevAttrMaxTexture2DLayeredHeight=28 ErrorMixedDeviceExecution=28 ChannelFormatKindUnsignedBlockCompressed7 "
       "DevAttrMaxTexture2DLayeredLayers=29 ChannelFormatKindUnsignedBlockCompressed7SRGB DevAttrSurfaceAlignment=30 "
       "ChannelFormatKindUnsignedNormalized1010102 DevAttrConcurrentKernels=31 ErrorNotYetImplemented=31 "
       "ArrayColorAttachment DevAttrEccEnabled=32 ErrorMemoryValueTooLarge=32 DevAttrPciBusId DevAttrPciDeviceId "
       "ErrorStubLibrary=34 DevAttrTccDriver ErrorInsufficientDriver=35 DevAttrMemoryClockRate "
       "ErrorCallRequiresNewerDriver=36 DevAttrGlobalMemoryBusWidth ErrorInvalidSurface=37 DevAttrL2CacheSize "
       "DevAttrMaxThreadsPerMultiProcessor DevAttrAsyncEngineCount DevAttrUnifiedAddressing "
       "DevAttrMaxTexture1DLayeredWidth DevAttrMaxTexture1DLayeredLayers ErrorDuplicateVariableName=43 "
       "ErrorDuplicateTextureName DevAttrMaxTexture2DGatherWidth ErrorDuplicateSurfaceName=45 "
       "DevAttrMaxTexture2DGatherHeight ErrorDevicesUnavailable=46 DevAttrMaxTexture3DWidthAlt "
       "DevAttrMaxTexture3DHeightAlt DevAttrMaxTexture3DDepthAlt ErrorIncompatibleDriverContext=49 "
       "DevAttrPciDomainId DevAttrTexturePitchAlignment DevAttrMaxTextureCubemapWidth ErrorMissingConfiguration=52 "
       "DevAttrMaxTextureCubemapLayeredWidth ErrorPriorLaunchFailure=53 DevAttrMaxTextureCubemapLayeredLayers "
       "DevAttrMaxSurface1DWidth DevAttrMaxSurface2DWidth DevAttrMaxSurface2DHeight DevAttrMaxSurface3DWidth "
       "DevAttrMaxSurface3DHeight DevAttrMaxSurface3DDepth DevAttrMaxSurface1DLayeredWidth "
       "DevAttrMaxSurface1DLayeredLayers DevAttrMaxSurface2DLayeredWidth ArraySparse "
       "DevAttrMaxSurface2DLayeredHeight=64 DevAttrMaxSurface2DLayeredLayers ErrorLaunchMaxDepthExceeded=65 "
       "DevAttrMaxSurfaceCubemapWidth ErrorLaunchFileScopedTex=66 DevAttrMaxSurfaceCubemapLayeredWidth "
       "ErrorLaunchFileScopedSurf=67 DevAttrMaxSurfaceCubemapLayeredLayers ErrorSyncDepthExceeded=68 "
       "DevAttrMaxTexture1DLinearWidth ErrorLaunchPendingCountExceeded=69 DevAttrMaxTexture2DLinearWidth "
       "DevAttrMaxTexture2DLinearHeight DevAttrMaxTexture2DLinearPitch DevAttrMaxTexture2DMipmappedWidth "
       "DevAttrMaxTexture2DMipmappedHeight DevAttrComputeCapabilityMajor DevAttrComputeCapabilityMinor "
       "DevAttrMaxTexture1DMipmappedWidth DevAttrStreamPrioritiesSupported DevAttrGlobalL1CacheSupported "
       "DevAttrLocalL1CacheSupported DevAttrMaxSharedMemoryPerMultiprocessor DevAttrMaxRegistersPerMultiprocessor "
       "DevAttrManagedMemory DevAttrIsMultiGpuBoard DevAttrMultiGpuBoardGroupID DevAttrHostNativeAtomicSupported "
       "DevAttrSingleToDoublePrecisionPerfRatio DevAttrPageableMemoryAccess DevAttrConcurrentManagedAccess "
       "DevAttrComputePreemptionSupported DevAttrCanUseHostPointerForRegisteredMem DevAttrReserved92 "
       "DevAttrReserved93 DevAttrReserved94 DevAttrCooperativeLaunch DevAttrReserved96 "
       "DevAttrMaxSharedMemoryPerBlockOptin DevAttrCanFlushRemoteWrites ErrorInvalidDeviceFunction=98 "
       "DevAttrHostRegisterSupported DevAttrPageableMemoryAccessUsesHostPageTables ErrorNoDevice=100 "
       "SharedmemCarveoutMaxShared=100 DevAttrDirectManagedMemAccessFromHost ErrorInvalidDevice=101 "
       "ErrorDeviceNotLicensed ErrorSoftwareValidityNotEstablished DevAttrMaxBlocksPerMultiprocessor=106 "
       "DevAttrMaxPersistingL2CacheSize=108 DevAttrMaxAccessPolicyWindowSize DevAttrReservedSharedMemoryPerBlock=111 "
       "DevAttrSparseCudaArraySupported DevAttrHostRegisterReadOnlySupported "
       "DevAttrTimelineSemaphoreInteropSupported DevAttrMemoryPoolsSupported DevAttrGPUDirectRDMASupported "
       "DevAttrGPUDirectRDMAFlushWritesOptions DevAttrGPUDirectRDMAWritesOrdering "
       "DevAttrMemoryPoolSupportedHandleTypes DevAttrClusterLaunch DevAttrDeferredMappingCudaArraySupported "
       "DevAttrReserved122 DevAttrReserved123 DevAttrReserved124 DevAttrIpcEventSupport DevAttrMemSyncDomainCount "
       "DevAttrReserved127 ErrorStartupFailure=127 ArrayDeferredMapping DevAttrReserved128=128 DeviceSyncMemops=128 "
       "DevAttrReserved129 DevAttrNumaConfig DevAttrNumaId DevAttrReserved132 DevAttrMpsEnabled DevAttrHostNumaId "
       "DevAttrD3D12CigSupported DevAttrVulkanCigSupported=138 DevAttrGpuPciDeviceId DevAttrGpuPciSubsystemId "
       "DevAttrReserved141 DevAttrHostNumaMemoryPoolsSupported DevAttrHostNumaMultinodeIpcSupported "
       "DevAttrHostMemoryPoolsSupported DevAttrReserved145 DevAttrOnlyPartialHostNativeAtomicSupported=147 "
       "DevAttrMax ErrorInvalidKernelImage=200 ErrorDeviceUninitialized ErrorMapBufferObjectFailed=205 "
       "ErrorUnmapBufferObjectFailed ErrorArrayIsMapped ErrorAlreadyMapped ErrorNoKernelImageForDevice "
       "ErrorAlreadyAcquired ErrorNotMapped ErrorNotMappedAsArray ErrorNotMappedAsPointer ErrorECCUncorrectable "
       "ErrorUnsupportedLimit ErrorDeviceAlreadyInUse ErrorPeerAccessUnsupported ErrorInvalidPtx "
       "ErrorInvalidGraphicsContext ErrorNvlinkUncorrectable ErrorJitCompilerNotFound ErrorUnsupportedPtxVersion "
       "ErrorJitCompilationDisabled ErrorUnsupportedExecAffinity ErrorUnsupportedDevSideSync ErrorContained "
       "DeviceMask=255 ErrorInvalidSource=300 ErrorFileNotFound ErrorSharedObjectSymbolNotFound "
       "ErrorSharedObjectInitFailed ErrorOperatingSystem ErrorInvalidResourceHandle=400 ErrorIllegalState "
       "ErrorLossyQuery ErrorSymbolNotFound=500 ErrorNotReady=600 ErrorIllegalAddress=700 ErrorLaunchOutOfResources "
       "ErrorLaunchTimeout ErrorLaunchIncompatibleTexturing ErrorPeerAccessAlreadyEnabled ErrorPeerAccessNotEnabled "
       "ErrorSetOnActiveProcess=708 ErrorContextIsDestroyed ErrorAssert ErrorTooManyPeers "
       "ErrorHostMemoryAlreadyRegistered ErrorHostMemoryNotRegistered ErrorHardwareStackError "
       "ErrorIllegalInstruction ErrorMisalignedAddress ErrorInvalidAddressSpace ErrorInvalidPc ErrorLaunchFailure "
       "ErrorCooperativeLaunchTooLarge ErrorTensorMemoryLeak ErrorNotPermitted=800 ErrorNotSupported "
       "ErrorSystemNotReady ErrorSystemDriverMismatch ErrorCompatNotSupportedOnDevice ErrorMpsConnectionFailed "
       "ErrorMpsRpcFailure ErrorMpsServerNotReady ErrorMpsMaxClientsReached ErrorMpsMaxConnectionsReached "
       "ErrorMpsClientTerminated ErrorCdpNotSupported ErrorCdpVersionMismatch ErrorStreamCaptureUnsupported=900 "
       "ErrorStreamCaptureInvalidated ErrorStreamCaptureMerge ErrorStreamCaptureUnmatched ErrorStreamCaptureUnjoined "
       "ErrorStreamCaptureIsolation ErrorStreamCaptureImplicit ErrorCapturedEvent ErrorStreamCaptureWrongThread "
       "ErrorTimeout ErrorGraphExecUpdateFailure ErrorExternalDevice ErrorInvalidClusterSize ErrorFunctionNotLoaded "
       "ErrorInvalidResourceType ErrorInvalidResourceConfiguration ErrorUnknown=999 ErrorApiFailureBase=10000"},
};
// clang-format on

struct Table {
  Table() {
    for (const Alike& group : alike) {
      std::int32_t value = -1;
      for (std::string_view rest = group.names; !rest.empty();) {
        const std::string_view word = rest.substr(0, rest.find(' '));
        rest.remove_prefix(std::min(word.size() + 1, rest.size()));
        const std::string_view name = word.substr(0, word.find('='));
        ++value;
        if (name.size() < word.size()) std::from_chars(word.data() + name.size() + 1, word.data() + word.size(), value);
        all.push_back({names.emplace_back(std::string(group.prefix) + std::string(name)), value});
      }
    }
    std::ranges::sort(all, {}, &Enumerator::name);
  }
  std::deque<std::string> names;
  std::vector<Enumerator> all;
};

}  // namespace

std::span<const Enumerator> cuda_enumerators() {
  static const Table table;
  return table.all;
}

const Enumerator* cuda_enumerator(std::string_view name) {
  const std::span<const Enumerator> all = cuda_enumerators();
  const auto at = std::ranges::lower_bound(all, name, {}, &Enumerator::name);
  return at != all.end() && at->name == name ? &*at : nullptr;
}

std::span<const std::string_view> cuda_enumerations() {
  // clang-format off
  static constexpr std::string_view table[] = {
      "CUcomputemode", "CUctx_flags", "CUdevice_attribute", "CUevent_flags", "CUfunc_cache", "CUfunction_attribute",
      "CUjit_option", "CUlimit", "CUmemorytype", "CUresult", "CUstream_flags", "CUtensorMapDataType",
      "CUtensorMapFloatOOBfill", "CUtensorMapInterleave", "CUtensorMapL2promotion", "CUtensorMapSwizzle",
      "cudaAccessProperty", "cudaChannelFormatKind", "cudaClusterSchedulingPolicy", "cudaComputeMode", "cudaDeviceAttr",
      "cudaError", "cudaFuncAttribute", "cudaFuncCache", "cudaGraphNodeType", "cudaLaunchAttributeID", "cudaLimit",
      "cudaMemPoolAttr", "cudaMemRangeAttribute", "cudaMemcpyKind", "cudaMemoryAdvise", "cudaMemoryType", "cudaResourceType",
      "cudaSharedCarveout", "cudaSharedMemConfig", "cudaStreamCaptureMode", "cudaStreamCaptureStatus",
      "cudaSurfaceBoundaryMode", "cudaSynchronizationPolicy", "cudaTextureAddressMode", "cudaTextureFilterMode",
      "cudaTextureReadMode",
  };
  // clang-format on
  return table;
}

}  // namespace lanescope::source::host
