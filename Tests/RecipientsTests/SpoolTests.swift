import Foundation
import PushModel
import SendingSupport
import Synchronization
import TestSupport
import Testing

@testable import Recipients

@Suite("The copy of a list that can be read only once", .timeLimit(.minutes(15)))
struct SpoolTests {
  private let folder: KeptFolder
  private let place: String

  init() throws {
    folder = try KeptFolder()
    place = folder.path(of: "history.sqlite.run-7.list-1")
  }

  private var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path) }
  }

  /// Reads a list, through a pipe that nobody closes when it does not end there.
  private func read(
    _ bytes: [UInt8], name: String = "list", endsThere: Bool = true, limit: Int? = nil,
    into spool: Spool
  ) throws -> [String] {
    let lists = try KeptFolder()
    let pipe = endsThere ? nil : try SilentPipe(bytes)
    defer { withExtendedLifetime(pipe) {} }
    let path = try pipe?.path ?? lists.file(name, bytes)
    var reader = try RecipientReader(
      [.file(path)], selection: RecipientSelection(limit: limit), mayBeEmpty: true,
      spools: [0: spool])
    var tokens: [String] = []
    while let chunk = try reader.next() {
      tokens += chunk.pushes.map(\.token)
      if !endsThere, limit == nil { break }
    }
    return tokens
  }

  private func reread() throws -> (tokens: [String], isWhole: Bool) {
    let copy = try #require(ListCopy(of: "-", at: place))
    return (try ListReading([.copy(copy)]).tokens, copy.isWhole)
  }

  static let texts: [[UInt8]] = [
    Array("ab12\r\n# no token\n<CD 34>\nbad\nef56".utf8),
    [0xFF, 0xFE] + "ab12\ncd34\n".utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] },
    [],
  ]

  @Test("has its bytes, is its owner's alone, and reads the same", arguments: texts)
  func whole(_ bytes: [UInt8]) throws {
    let spool = Spool(scratchFolder: folder.path)
    spool.keep(at: place)
    let tokens = try read(bytes, into: spool)
    #expect(try folder.bytes("history.sqlite.run-7.list-1") == bytes)
    var status = stat()
    #expect(stat(place, &status) == 0 && status.st_mode & 0o777 == 0o600)
    let again = try reread()
    #expect(again.tokens == tokens && again.isWhole)
    #expect(
      try names.sorted() == ["history.sqlite.run-7.list-1", "history.sqlite.run-7.list-1.print"])
  }

  @Test("that was cut off says so, and its last line without an end is nobody")
  func cutOff() throws {
    let spool = Spool(scratchFolder: folder.path)
    spool.keep(at: place)
    #expect(try read(Array("ab12\ncd34\n".utf8), endsThere: false, into: spool).count == 2)
    _ = try folder.file("history.sqlite.run-7.list-1.part", "ab12\ncd34\nef56")
    let again = try reread()
    #expect(again.tokens == ["ab12", "cd34"] && !again.isWhole)
    #expect(try ListCopy(of: "-", at: place)?.end(as: .txt).rows == 2)
  }

  @Test("that has lost its end since is one that was cut off", arguments: [14, 10, 0])
  func shortened(_ size: Int) throws {
    let spool = Spool(scratchFolder: folder.path)
    spool.keep(at: place)
    #expect(try read(Array("ab12\ncd34\nef56\n".utf8), into: spool).count == 3)
    #expect(truncate(place, off_t(size)) == 0)
    let again = try reread()
    #expect(again.tokens == Array(["ab12", "cd34"].prefix(size / 5)) && !again.isWhole)
  }

  @Test("that holds something else since is lost")
  func overwritten() throws {
    let spool = Spool(scratchFolder: folder.path)
    spool.keep(at: place)
    _ = try read(Array("ab12\ncd34\n".utf8), into: spool)
    #expect(try reread().isWhole)
    for text in ["ab12\ncd35\n", "ab12\ncd34\nef56\n"] {
      _ = try folder.file("history.sqlite.run-7.list-1", text)
      #expect(ListCopy(of: "-", at: place) == nil)
    }
    ListCopy.remove(at: place)
    #expect(try names.isEmpty)
  }

  @Test("whose fingerprint is lost is taken as it is")
  func withoutFingerprint() throws {
    _ = try folder.file("history.sqlite.run-7.list-1", "ab12\n")
    let again = try reread()
    #expect(again.tokens == ["ab12"] && again.isWhole)
  }

  @Test("is whole when the limit is reached, for nobody reads on")
  func limit() throws {
    let spool = Spool(scratchFolder: folder.path)
    spool.keep(at: place)
    _ = try read(Array("ab12\ncd34\nef56\n".utf8), endsThere: false, limit: 2, into: spool)
    #expect(try reread().isWhole)
  }

  @Test("has what was read before it got its name, for each run that it gets one for")
  func keptLater() throws {
    let spool = Spool(scratchFolder: folder.path)
    _ = try read(Array("ab12\ncd34\n".utf8), into: spool)
    #expect(try names.isEmpty)
    let other = folder.path(of: "history.sqlite.run-8.list-1")
    spool.keep(at: place)
    ListCopy.remove(at: place)
    spool.keep(at: other)
    spool.keep(at: place)
    #expect(try reread().tokens == ["ab12", "cd34"])
    #expect(try folder.bytes("history.sqlite.run-8.list-1") == Array("ab12\ncd34\n".utf8))
  }

  @Test("has nothing of a key", arguments: ["list", "list.csv", "list.jsonl"])
  func key(name: String) throws {
    let spool = Spool(scratchFolder: folder.path)
    spool.keep(at: place)
    let error = #expect(throws: ListError.self) {
      try read(Array("-----BEGIN PRIVATE KEY-----\nMIGH".utf8), name: name, into: spool)
    }
    #expect(error?.fault == .isPEM)
    #expect(try folder.bytes("history.sqlite.run-7.list-1.part").isEmpty)
  }

  @Test("that cannot be written is told once, and the list is read all the same")
  func failure() throws {
    let told = Mutex<[Int32]>([])
    let spool = Spool(scratchFolder: folder.path(of: "nowhere")) { code in
      told.withLock { $0.append(code) }
    }
    #expect(try read(Array("ab12\ncd34\n".utf8), into: spool) == ["ab12", "cd34"])
    spool.keep(at: place)
    #expect(told.withLock { $0 } == [ENOENT] && spool.failure == ENOENT)
    #expect(ListCopy(of: "-", at: place) == nil)
  }

  @Test("is called what the list was called, which tells its format")
  func name() throws {
    let spool = Spool(scratchFolder: folder.path)
    spool.keep(at: place)
    _ = try read(Array("name,token\nx,ab12\n".utf8), name: "beta.csv", into: spool)
    let copy = try #require(ListCopy(of: "beta.csv", at: place))
    let reading = try ListReading([.copy(copy)])
    #expect(reading.tokens == ["ab12"] && reading.rows.allSatisfy { $0.contains("beta.csv") })
  }

  @Test("that is given up for its room is gone, and the list is read all the same")
  func givenUp() throws {
    let told = Mutex<[Int32]>([])
    let spool = Spool(scratchFolder: folder.path) { code in told.withLock { $0.append(code) } }
    spool.keep(at: place)
    let pipe = try SilentPipe(Array("ab12\n".utf8))
    defer { withExtendedLifetime(pipe) {} }
    var reader = try RecipientReader([.file(pipe.path)], spools: [0: spool], chunkSize: 1)
    #expect(try reader.next()?.count == 1)
    #expect(try names.count == 1)
    spool.giveUp(ENOSPC)
    spool.giveUp(EFBIG)
    #expect(try names.isEmpty && told.withLock { $0 } == [ENOSPC])
    #expect(spool.descriptor() == nil && spool.failure == ENOSPC)
    #expect(try read(Array("ab12\ncd34\n".utf8), into: spool) == ["ab12", "cd34"])
    #expect(try names.isEmpty)
  }

  @Test("of a list with an endless line is given up", arguments: [false, true])
  func endlessLine(isEndless: Bool) throws {
    let spool = Spool(scratchFolder: folder.path)
    spool.keep(at: place)
    // What is read at once is at most 2 MiB.
    let length = LineReader.copiedLimit + (isEndless ? 4 << 20 : 0)
    let line = [UInt8](repeating: UInt8(ascii: "a"), count: length)
    #expect(
      try read(Array("ab12\n".utf8) + line + Array("\ncd34\n".utf8), into: spool) == [
        "ab12", "cd34",
      ])
    #expect(spool.failure == (isEndless ? EFBIG : nil))
    #expect(try names.isEmpty == isEndless)
  }
}
