internal import CNGHTTP2
internal import POSIX

/// An allocator for nghttp2, which takes a few small blocks per request and frees them with its
/// answer, hundreds at a time: more than the C library caches for a thread. Freed blocks are kept
/// for the next request until the session ends. It belongs to the session's thread.
final class SessionMemory {
  /// The size step of kept blocks in bytes.
  private static let step = 64

  /// The number of sizes kept. None under a sanitizer, which has to see every allocation.
  #if PLAIN_MEMORY
  private static let sizes = 0
  #else
  private static let sizes = 17
  #endif

  /// The bytes before each block, for its capacity: as many as the alignment of `malloc`.
  private static let head = 16

  /// The first spare block of each size, which starts with the address of the next one.
  private let spare: UnsafeMutablePointer<UnsafeMutableRawPointer?>

  init() {
    spare = .allocate(capacity: Self.sizes)
    spare.initialize(repeating: nil, count: Self.sizes)
  }

  deinit {
    for size in 0..<Self.sizes {
      while let block = take(size) { POSIX.free(block - Self.head) }
    }
    spare.deallocate()
  }

  /// The functions for nghttp2, valid as long as this object exists.
  var functions: nghttp2_mem {
    nghttp2_mem(
      mem_user_data: Unmanaged.passUnretained(self).toOpaque(),
      malloc: { size, user in memory(user) { $0.allocate(size) } },
      free: { block, user in _ = memory(user) { $0.free(block) } },
      calloc: { count, size, user in memory(user) { $0.allocateZeroed(count, size) } },
      realloc: { block, size, user in memory(user) { $0.resize(block, size) } })
  }

  fileprivate func allocate(_ count: Int) -> UnsafeMutableRawPointer? {
    let size = max(1, (count + Self.step - 1) / Self.step)
    guard size < Self.sizes else { return Self.make(capacity: count) }
    return take(size) ?? Self.make(capacity: size * Self.step)
  }

  fileprivate func allocateZeroed(_ count: Int, _ size: Int) -> UnsafeMutableRawPointer? {
    let (all, isTooMuch) = count.multipliedReportingOverflow(by: size)
    guard !isTooMuch, let block = allocate(all) else { return nil }
    return memset(block, 0, all)
  }

  fileprivate func resize(
    _ block: UnsafeMutableRawPointer?, _ count: Int
  ) -> UnsafeMutableRawPointer? {
    guard let block else { return allocate(count) }
    let capacity = Self.capacity(of: block)
    if count <= capacity { return block }
    guard let larger = allocate(count) else { return nil }
    larger.copyMemory(from: block, byteCount: capacity)
    free(block)
    return larger
  }

  @discardableResult
  fileprivate func free(_ block: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let block else { return nil }
    let size = Self.capacity(of: block) / Self.step
    if size < Self.sizes {
      block.storeBytes(of: spare[size], as: UnsafeMutableRawPointer?.self)
      spare[size] = block
    } else {
      POSIX.free(block - Self.head)
    }
    return nil
  }

  private func take(_ size: Int) -> UnsafeMutableRawPointer? {
    guard let block = spare[size] else { return nil }
    spare[size] = block.load(as: UnsafeMutableRawPointer?.self)
    return block
  }

  private static func make(capacity: Int) -> UnsafeMutableRawPointer? {
    guard let whole = malloc(head + capacity) else { return nil }
    whole.storeBytes(of: capacity, as: Int.self)
    return whole + head
  }

  private static func capacity(of block: UnsafeMutableRawPointer) -> Int {
    (block - head).load(as: Int.self)
  }
}

private func memory(
  _ user: UnsafeMutableRawPointer?, _ body: (SessionMemory) -> UnsafeMutableRawPointer?
) -> UnsafeMutableRawPointer? {
  guard let user else { return nil }
  return Unmanaged<SessionMemory>.fromOpaque(user)._withUnsafeGuaranteedRef(body)
}
