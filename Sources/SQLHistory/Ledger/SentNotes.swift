internal import APNS
internal import POSIX
package import PushModel
internal import Synchronization

/// The place of a run's ``SentFile`` and how it begins.
package struct SentFileName {
  /// The size of the head, in bytes. The first note follows.
  static let headSize = 128

  /// The folder for histories on servers; nil keeps no notes of their runs.
  private static let serversFolder = Mutex(String?.none)

  static func keep(in folder: String) { serversFolder.withLock { $0 = folder } }

  let path: String
  private let identity: RunIdentity
  private let pass: Int64

  /// - Parameters:
  ///   - pass: the pass, or the session of a worker.
  ///   - ending: what distinguishes the files of a run.
  ///   - history: the history's file; nil for a server, as in all functions here.
  /// - Returns: nil if there is no folder for it.
  init?(
    _ run: RunNumber, _ identity: RunIdentity, pass: Int64, ending: String = "",
    beside history: String?
  ) {
    let base = history.map { "\($0).run-\(run)" } ?? Self.serversBase(run, identity)
    guard let base else { return nil }
    path = "\(base).sent\(ending)"
    (self.identity, self.pass) = (identity, pass)
  }

  /// The name of the file of a worker's session.
  package init?(_ run: RunNumber, _ identity: RunIdentity, session: Int64) {
    self.init(run, identity, pass: session, ending: "-\(session)", beside: nil)
  }

  private static func serversBase(_ run: RunNumber, _ identity: RunIdentity) -> String? {
    serversFolder.withLock { $0 }.map { "\($0)/run-\(run)-\(identity.apnsID(ofSequence: 0))" }
  }

  /// The names of the files that the run's workers on this machine left, in no order.
  package static func ofSessions(
    _ run: RunNumber, _ identity: RunIdentity
  ) -> [SentFileName] {
    guard let base = serversBase(run, identity), let slash = base.lastIndex(of: "/") else {
      return []
    }
    let prefix = base[slash...].dropFirst() + ".sent-"
    return (names(inFolder: String(base[..<slash])) ?? []).filter { $0.hasPrefix(prefix) }
      .compactMap { Int64($0.dropFirst(prefix.count)) }
      .compactMap { SentFileName(run, identity, session: $0) }
  }

  /// Removes the file: all sent pushes have a result.
  package func remove() { unlink(path) }

  /// The head of the file: the boot ID, the identity, the pass, and the form of what follows; nil
  /// if the boot ID is unknown.
  var head: [UInt8]? {
    if Self.bootID.count != APNSID.textLength { return nil }
    let number = (0..<8).map { UInt8(truncatingIfNeeded: pass >> ($0 * 8)) }
    let head = Self.bootID + identity.apnsID(ofSequence: 0).description.utf8 + number
    return head + "answers 1".utf8
      + repeatElement(0, count: Self.headSize - head.count - "answers 1".utf8.count)
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

/// The notes in a ``SentFile``.
package struct SentNotes {
  /// The last push that may have been sent.
  package private(set) var mark: UInt64 = 0
  /// The answers by push, some of which have a committed result.
  package private(set) var answers: [UInt64: AnswerNote] = [:]

  /// Reads a file; nil if there is none, or if it is not of this boot and this pass.
  ///
  /// - Parameter isLeft: the process that wrote it must have ended.
  package init?(in name: SentFileName, isLeft: Bool = false) {
    let file = open(name.path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard file >= 0 else { return nil }
    defer { close(file) }
    if isLeft, flock(file, LOCK_SH | LOCK_NB) != 0 { return nil }
    guard let head = name.head, Self.read(file, at: 0, SentFileName.headSize) == head else {
      return nil
    }
    let size = SentFile.blockSize * MemoryLayout<AnswerNote>.stride
    var offset = SentFileName.headSize
    while case let block = Self.read(file, at: offset, size), !block.isEmpty {
      take(block)
      offset += size
    }
  }

  private mutating func take(_ block: [UInt8]) {
    let size = MemoryLayout<AnswerNote>.stride
    block.withUnsafeBytes { bytes in
      for place in stride(from: 0, through: bytes.count - size, by: size) {
        let note = bytes.loadUnaligned(fromByteOffset: place, as: AnswerNote.self)
        mark = max(mark, note.mark)
        if 1..<RunNumber.lastSequence ~= note.sequence { answers[note.sequence] = note }
      }
    }
  }

  private static func read(_ file: Int32, at offset: Int, _ size: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      count = max(0, pread(file, buffer.baseAddress, size, off_t(offset)))
    }
  }

  /// The notes of a run's pass; nil if there are none.
  static func find(
    _ run: RunNumber, _ identity: RunIdentity, pass: Int64, beside history: String?
  ) -> SentNotes? {
    for place in [history, nil] {
      if let name = SentFileName(run, identity, pass: pass, beside: place),
        let notes = SentNotes(in: name)
      {
        return notes
      }
    }
    return nil
  }
}
