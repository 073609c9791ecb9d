import Foundation
import JSONText
import Synchronization
import Testing

@Suite("Limits")
struct LimitTests {
  func nested(_ depth: Int) -> String {
    String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
  }

  func error(_ reader: JSONReader, _ text: String) -> JSONSyntaxError? {
    do throws(JSONSyntaxError) {
      _ = try reader.read(text)
      return nil
    } catch {
      return error
    }
  }

  @Test("32 levels are read and the 33rd is refused where it opens")
  func defaultDepth() {
    #expect(error(JSONReader(), nested(32)) == nil)
    let refused = error(JSONReader(), nested(33))
    #expect(refused?.kind == .tooDeep(limit: 32))
    #expect(refused?.position == JSONPosition(line: 1, column: 33))
  }

  @Test("Objects nest as deep as arrays, and siblings do not add up")
  func mixedDepth() {
    let reader = JSONReader(depthLimit: 3)
    #expect(error(reader, #"{"a":[{}],"b":[{}],"c":[{},{}]}"#) == nil)
    #expect(error(reader, #"{"a":[{"b":[]}]}"#)?.kind == .tooDeep(limit: 3))
  }

  @Test("No reader goes deeper than 64, so that no text exhausts the stack")
  func greatestDepth() {
    let reader = JSONReader(.json5, depthLimit: .max)
    #expect(error(reader, nested(64)) == nil)
    let hostile = String(repeating: "[{a:", count: 500_000)
    #expect(error(reader, hostile)?.kind == .tooDeep(limit: 64))
  }

  @Test("The deepest text fits the stack that macOS gives a thread")
  func smallStack() throws {
    let depth = JSONReader.greatestDepth
    let text =
      String(repeating: "{a:[", count: depth / 2) + String(repeating: "]}", count: depth / 2)
    let value = Mutex<JSON?>(nil)
    let ended = DispatchSemaphore(value: 0)
    let thread = Thread {
      let read = try? JSONReader(.json5, depthLimit: depth).read(text)
      if read?.encoded(.pretty).isEmpty == false { value.withLock { $0 = read } }
      ended.signal()
    }
    thread.stackSize = 512 * 1024
    thread.start()
    ended.wait()
    #expect(value.withLock { $0?["a"]?.array?.count } == 1)
  }

  @Test("A text longer than the limit is refused unread")
  func length() {
    let reader = JSONReader(byteLimit: 4)
    #expect(error(reader, "1234") == nil)
    #expect(error(reader, "123456")?.kind == .textTooLong(count: 6, limit: 4))
  }

  @Test("A repeated key is found in an object of any size", arguments: [1, 7, 8, 9, 10, 11, 500])
  func duplicateAmongMany(count: Int) {
    let keys = (0..<count).map { "\"k\($0)\":0" }.joined(separator: ",")
    #expect(error(JSONReader(), "{\(keys)}") == nil)
    for repeated in Set([0, count / 2, count - 1]) {
      let found = error(JSONReader(), "{\(keys),\"k\(repeated)\":1}")
      guard case .duplicateKey("k\(repeated)", let first)? = found?.kind else {
        Issue.record("k\(repeated) of \(count): \(String(describing: found))")
        continue
      }
      #expect(first < (found?.position ?? first))
    }
  }

  @Test(
    "An object of 100,000 keys takes no time that grows with the square", .timeLimit(.minutes(15)))
  func manyKeys() throws {
    let keys = (0..<100_000).map { "\"key \($0)\":0" }.joined(separator: ",")
    let object = try JSONReader().read("{\(keys)}").object
    #expect(object?.members.count == 100_000)
    #expect(JSONObject(object?.members ?? []) == object)
  }
}
