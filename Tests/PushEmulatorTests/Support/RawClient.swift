import Foundation
import HTTP2
import PushEmulator
import TestSupport
import Testing

/// A client that writes each frame by hand and keeps what it hears.
final class RawClient {
  private let link: TLSConnection
  private let wake: Wake
  private var unread: ArraySlice<UInt8> = []
  private var canSend = true
  // A forgotten emulator stops.
  private let emulator: Emulator

  /// The frames that the emulator has sent.
  private(set) var heard: [RawFrame] = []
  /// Whether the emulator has closed the connection.
  private(set) var isClosed = false

  init(_ emulator: Emulator) throws {
    self.emulator = emulator
    wake = try #require(Wake())
    let roots = try rootsFile(emulator)
    defer { remove(roots) }
    link = try Dialer.dial(
      DialTarget(host: "127.0.0.1", port: emulator.port, additionalRoots: roots))
  }

  /// Says something, and listens until something holds or the emulator closes; gives up after ten
  /// silent seconds.
  func say(_ bytes: [UInt8], until isDone: ([RawFrame]) -> Bool) throws {
    var rest = bytes[...]
    while !isClosed {
      let isSaid = send(&rest)
      let heardNothing = !receive()
      if isSaid, isDone(heard) { return }
      guard heardNothing, !isClosed else { continue }
      let ready = link.wait(forRoom: !isSaid, wake: wake, milliseconds: 10_000)
      try #require(!ready.isEmpty, "the emulator is silent")
    }
  }

  func say(_ frames: [RawFrame], until isDone: ([RawFrame]) -> Bool) throws {
    try say(frames.flatMap(\.bytes), until: isDone)
  }

  /// Lets the emulator do all that earlier frames ask of it: what follows the answer to a PING is
  /// done before the next one is answered.
  func settle() throws {
    for number: UInt64 in [0xFA, 0xFB] {
      try say([.ping(number)]) {
        $0.contains { $0 == .ping(number, flags: RawFrame.acknowledgement) }
      }
    }
  }

  /// - Returns: whether all was handed over, or cannot be any more.
  private func send(_ rest: inout ArraySlice<UInt8>) -> Bool {
    while canSend, !rest.isEmpty {
      do {
        let taken = try rest.withUnsafeBytes { try link.send($0) }
        if taken == 0 { return false }
        rest = rest.dropFirst(taken)
      } catch { canSend = false }
    }
    return true
  }

  /// - Returns: whether anything was there.
  private func receive() -> Bool {
    var buffer = [UInt8](repeating: 0, count: 16_384)
    do {
      let count = try buffer.withUnsafeMutableBytes { try link.receive(into: $0) }
      unread += buffer.prefix(count)
      heard += RawFrame.takeFrames(from: &unread)
      return count > 0
    } catch {
      isClosed = true
      return false
    }
  }
}
