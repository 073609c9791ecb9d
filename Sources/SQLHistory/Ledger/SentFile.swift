internal import APNS
internal import POSIX
internal import PushModel
internal import Synchronization

/// A mark of the last push handed to the network, in a file written without waiting for the disk:
/// beside the history or, for one on a server, in a folder of this machine. Claims are made ahead;
/// the mark shows which of the claimed pushes were certainly not sent, however the process ended.
///
/// It holds the system's boot ID, the run's identity, the pass and the mark. A mark from before a
/// power failure may be incomplete, and does not count; nor does that of another pass, which
/// another machine has followed.
final class SentFile: SentMark {
  private static let markOffset = 2 * APNSID.textLength + MemoryLayout<UInt64>.size

  /// The folder for histories on servers; nil keeps no mark of their runs.
  private static let serversFolder = Mutex(String?.none)

  static func keep(in folder: String) { serversFolder.withLock { $0 = folder } }

  private let path: String
  private let descriptor: Int32
  private let highest: Mutex<UInt64>

  /// Begins to keep the mark of a pass; nil if that is not possible.
  ///
  /// - Parameters:
  ///   - history: the history's file; nil for a server, as in all functions here.
  ///   - sequence: pushes up to this one may have been sent before.
  init?(
    _ run: RunNumber, _ identity: RunIdentity, pass: Int64, beside history: String?,
    from sequence: UInt64
  ) {
    guard let path = Self.file(run, identity, beside: history) else { return nil }
    if history == nil { try? makeFolders(of: path, mode: 0o700) }
    self.path = path
    highest = Mutex(sequence)
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    let bytes = Self.head(of: identity, pass) + Self.bytes(of: sequence)
    guard Self.bootID.count == APNSID.textLength, descriptor >= 0,
      Self.write(bytes, to: descriptor, at: 0)
    else {
      // The mark of an earlier pass would be wrong from now on.
      unlink(path)
      return nil
    }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// The last push of a run that may have been sent up to a pass; nil if unknown.
  static func mark(
    of run: RunNumber, _ identity: RunIdentity, pass: Int64, beside history: String?
  ) -> UInt64? {
    [file(run, identity, beside: history), serversFile(run, identity)].lazy.compactMap(\.self)
      .compactMap { mark(in: $0, head: head(of: identity, pass)) }.first
  }

  private static func mark(in path: String, head: [UInt8]) -> UInt64? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    let size = markOffset + MemoryLayout<UInt64>.size
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      count = max(0, pread(descriptor, buffer.baseAddress, size, 0))
    }
    guard bytes.count == size, bootID.count == APNSID.textLength,
      bytes.starts(with: head)
    else { return nil }
    return bytes[markOffset...].reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  func raise(to sequence: UInt64) {
    highest.withLock { highest in
      guard sequence > highest else { return }
      highest = sequence
      if !Self.write(Self.bytes(of: sequence), to: descriptor, at: Self.markOffset) { unlink(path) }
    }
  }

  /// Removes the file: all sent pushes have a result, or another pass begins.
  static func remove(_ run: RunNumber, _ identity: RunIdentity, beside history: String?) {
    if let path = file(run, identity, beside: history) { unlink(path) }
  }

  private static func file(
    _ run: RunNumber, _ identity: RunIdentity, beside history: String?
  ) -> String? {
    history.map { "\($0).run-\(run).sent" } ?? serversFile(run, identity)
  }

  private static func serversFile(_ run: RunNumber, _ identity: RunIdentity) -> String? {
    serversFolder.withLock { $0 }.map {
      "\($0)/run-\(run)-\(identity.apnsID(ofSequence: 0)).sent"
    }
  }

  private static func head(of identity: RunIdentity, _ pass: Int64) -> [UInt8] {
    bootID + identity.apnsID(ofSequence: 0).description.utf8
      + bytes(of: UInt64(bitPattern: pass))
  }

  /// A number in little-endian order.
  private static func bytes(of sequence: UInt64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: sequence >> ($0 * 8)) }
  }

  private static func write(_ bytes: [UInt8], to file: Int32, at offset: Int) -> Bool {
    bytes.withUnsafeBytes { pwrite(file, $0.baseAddress, $0.count, off_t(offset)) } == bytes.count
  }

  /// The ID of this boot of the system, as long as an `apns-id`; empty if unknown.
  private static let bootID: [UInt8] = {
    #if canImport(Darwin)
    var text = [CChar](repeating: 0, count: 64)
    var size = text.count
    guard sysctlbyname("kern.bootsessionuuid", &text, &size, nil, 0) == 0 else { return [] }
    return text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    #else
    let descriptor = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return [] }
    defer { close(descriptor) }
    return [UInt8](unsafeUninitializedCapacity: APNSID.textLength) { buffer, count in
      count = max(0, read(descriptor, buffer.baseAddress, buffer.count))
    }
    #endif
  }()
}
