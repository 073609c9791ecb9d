internal import POSIX
package import PushModel
internal import Synchronization

/// Notes of the last push handed to the network and of the answers whose results are not committed
/// yet, in a file written without waiting for the disk: beside the history or, for one on a server,
/// in a folder of this machine. Claims are made ahead; the mark shows which of the claimed pushes were
/// certainly not sent, however the process ended, and the answers which of the sent are not in doubt.
///
/// It holds the system's boot ID, the run's identity and the pass, and then notes in blocks of equal
/// size. Each connection fills blocks of its own; once the results in a block are committed, it is
/// used again. What an old note says is still true, so nothing has to be erased. Notes from before a
/// power failure may be incomplete, and do not count; nor do those of another pass, which another
/// machine has followed.
package final class SentFile: RunNotes {
  /// The number of notes in a block.
  static let blockSize = 256

  private struct Blocks {
    var count = 0
    var free: [Int] = []
  }

  private let path: String
  private let descriptor: Int32
  /// The mark that a connection is about to write, or has written.
  private let highest: Atomic<UInt64>
  /// The highest mark in the file.
  private let written: Atomic<UInt64>
  private let blocks = Mutex(Blocks())
  private let fault = Atomic<Int32>(0)

  /// Begins to keep the notes of a pass.
  ///
  /// - Parameters:
  ///   - sequence: pushes up to this one may have been sent before.
  ///   - answers: those of earlier passes that have no committed results yet.
  package init(_ name: SentFileName, from sequence: UInt64 = 0, with answers: [AnswerNote] = []) {
    path = name.path
    highest = Atomic(sequence)
    written = Atomic(sequence)
    // An older file would be wrong from now on.
    unlink(path)
    try? makeFolders(of: path, mode: 0o700)
    descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    if descriptor >= 0, let head = name.head {
      // Tells others that the process lives.
      flock(descriptor, LOCK_EX | LOCK_NB)
      head.withUnsafeBytes { write($0, at: 0) }
      write([AnswerNote()] + answers)
    } else {
      fail()
    }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// The error code of the system for the first note that could not be written; nil if all were.
  package var failure: Int32? {
    let code = fault.load(ordering: .relaxed)
    return code == 0 ? nil : code
  }

  /// The last push that was handed to the network, also if that could not be written.
  package var mark: UInt64 { highest.load(ordering: .acquiring) }

  /// The notes of one more connection.
  package func newConnection() -> any ConnectionNotes { SentFilePart(of: self) }

  /// Writes notes that stay, with the mark.
  private func write(_ notes: [AnswerNote]) {
    var notes = notes
    newConnection().write(&notes, sentUpTo: 0)
  }

  /// The mark to write; nil if there is no need to, because it is in the file.
  func mark(raisedTo sequence: UInt64, isAlone: Bool) -> UInt64? {
    if isAlone, written.load(ordering: .acquiring) >= sequence { return nil }
    return highest.max(sequence, ordering: .acquiringAndReleasing).newValue
  }

  func newBlock() -> Int {
    blocks.withLock { blocks in
      if let free = blocks.free.popLast() { return free }
      defer { blocks.count += 1 }
      return blocks.count
    }
  }

  func release(_ block: Int) { blocks.withLock { $0.free.append(block) } }

  /// Writes notes with the same mark.
  func write(_ notes: ArraySlice<AnswerNote>, mark: UInt64, at place: Int, in block: Int) {
    let note = block * Self.blockSize + place
    notes.withUnsafeBytes {
      write($0, at: SentFileName.headSize + note * MemoryLayout<AnswerNote>.stride)
    }
    if failure == nil { _ = written.max(mark, ordering: .releasing) }
  }

  private func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
    if failure != nil { return }
    let count = pwrite(descriptor, bytes.baseAddress, bytes.count, off_t(offset))
    if count != bytes.count { fail(count < 0 ? errno : ENOSPC) }
  }

  /// Without all its notes the file would be wrong.
  private func fail(_ code: Int32 = errno) {
    _ = fault.compareExchange(expected: 0, desired: max(code, 1), ordering: .relaxed)
    unlink(path)
  }
}

/// The blocks of a ``SentFile`` that one connection writes.
private final class SentFilePart: ConnectionNotes {
  private struct State {
    /// The blocks in use, oldest first, each with the number of answers when it was last written.
    var blocks: [(number: Int, end: Int)] = []
    /// The place of the next note in the last block.
    var place = SentFile.blockSize
    var written = 0
    var forgotten = 0

    /// The number of notes that fit into the last block.
    mutating func room(in file: SentFile) -> Int {
      if place == SentFile.blockSize {
        blocks.append((file.newBlock(), written))
        place = 0
      }
      return SentFile.blockSize - place
    }

    mutating func filled(_ count: Int) {
      place += count
      written += count
      blocks[blocks.count - 1].end = written
    }
  }

  private let file: SentFile
  private let state = Mutex(State())

  init(of file: SentFile) { self.file = file }

  func write(_ answers: inout [AnswerNote], sentUpTo sequence: UInt64) {
    let isAlone = answers.isEmpty
    guard let mark = file.mark(raisedTo: sequence, isAlone: isAlone) else { return }
    if isAlone { answers.append(AnswerNote()) }
    for index in answers.indices { answers[index].mark = mark }
    state.withLock { state in
      var rest = answers[...]
      while !rest.isEmpty {
        let notes = rest.prefix(state.room(in: file))
        file.write(
          notes, mark: mark, at: state.place, in: state.blocks[state.blocks.count - 1].number)
        // The next note takes the place of one that has only a mark, and has a mark as well.
        if !isAlone { state.filled(notes.count) }
        rest = rest.dropFirst(notes.count)
      }
    }
    answers.removeAll(keepingCapacity: true)
  }

  func forget(_ count: Int) {
    state.withLock { state in
      state.forgotten += count
      while state.blocks.count > 1, state.blocks[0].end <= state.forgotten {
        file.release(state.blocks.removeFirst().number)
      }
    }
  }
}
