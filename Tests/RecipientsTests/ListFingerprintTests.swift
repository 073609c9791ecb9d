import Foundation
import PushModel
import Recipients
import SwiftOverlayShims
import TestSupport
import Testing

@Suite("The fingerprint of a list", .timeLimit(.minutes(15)))
struct ListFingerprintTests {
  private let folder: KeptFolder

  init() throws { folder = try KeptFolder() }

  private let time = timespec(tv_sec: 1_700_000_000, tv_nsec: 123_456_789)

  private func fingerprint(_ bytes: [UInt8], _ time: timespec? = nil) throws -> ListFingerprint {
    let path = try folder.file("list", bytes)
    let time = time ?? self.time
    #expect(utimensat(AT_FDCWD, path, [time, time], 0) == 0)
    return try #require(try ListFingerprint(path: path))
  }

  @Test("tells size, time and hash")
  func parts() throws {
    let fingerprint = try fingerprint(Array("abc".utf8))
    #expect(fingerprint.size == 3)
    #expect(fingerprint.modified == 1_700_000_000_123_456_789)
    // printf abcabc | sha256sum
    let hex = fingerprint.digest.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
    #expect(hex.joined() == "bbb59da3af939f7af5f360f2ceb80a496e3bae1cd87dde426db0ae40677e1c2c")
    let same = ListFingerprint(
      size: fingerprint.size, modified: fingerprint.modified, digest: fingerprint.digest)
    #expect(same == fingerprint)
  }

  @Test("of a long list changes with its head, its tail, its size and its time")
  func changes() throws {
    let bytes = [UInt8](repeating: 0x61, count: 300_000)
    func changed(at place: Int) -> [UInt8] {
      var changed = bytes
      changed[place] = 0x62
      return changed
    }
    let original = try fingerprint(bytes)
    #expect(try fingerprint(bytes) == original)
    for place in [0, 65_535, 300_000 - 65_536, 299_999] {
      #expect(try fingerprint(changed(at: place)) != original)
    }
    #expect(try fingerprint(changed(at: 150_000)) == original)
    #expect(try fingerprint(bytes + [0x61]) != original)
    let later = timespec(tv_sec: time.tv_sec, tv_nsec: time.tv_nsec + 1)
    #expect(try fingerprint(bytes, later) != original)
  }

  @Test("is not taken of what can be read only once, or not at all")
  func others() throws {
    #expect(try ListFingerprint(path: "/dev/null") == nil)
    let pipe = try SilentPipe([])
    #expect(try ListFingerprint(path: pipe.path) == nil)
    let missing = #expect(throws: ListError.self) {
      try ListFingerprint(path: folder.path(of: "none"))
    }
    #expect(missing?.fault == .missing)
    let isFolder = #expect(throws: ListError.self) { try ListFingerprint(path: folder.path) }
    #expect(isFolder?.fault == .isFolder)
  }

  @Test("of a list that is hashed whole does not tell its time; of a longer one that alone")
  func change() throws {
    let later = timespec(tv_sec: time.tv_sec + 1, tv_nsec: 0)
    func change(_ count: Int, _ end: UInt8) throws -> ListFingerprint.Change? {
      let bytes = [UInt8](repeating: 0x61, count: count - 1)
      let old = try fingerprint(bytes + [0x61])
      return try fingerprint(bytes + [end], later).change(since: old)
    }
    #expect(try change(131_072, 0x61) == nil)
    #expect(try change(131_073, 0x61) == .time)
    #expect(try change(131_072, 0x62) == .content)
    #expect(try change(131_073, 0x62) == .content)
    let same = try fingerprint([UInt8](repeating: 0x61, count: 200_000))
    #expect(same.change(since: same) == nil)
  }
}
