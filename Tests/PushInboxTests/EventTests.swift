import JSONText
import PushEmulator
import SendingSupport
import Testing

@testable import PushInbox
@testable import WebServer

@Suite("The events of the inbox")
struct EventTests {
  private func follow(
    _ inbox: TestInbox, _ query: String = "", _ headers: [String: String?] = [:]
  ) throws -> (hello: JSON, events: EventReader) {
    let connection = try inbox.connect()
    connection.send("GET", "/api/v1/events\(query)", headers)
    let events = try EventReader(connection)
    let hello = try #require(events.next())
    #expect(hello.name == "hello")
    return (try JSONReader().read(hello.data), events)
  }

  @Test("begin with the next push, and come one by one")
  func live() throws {
    let inbox = try TestInbox()
    inbox.receive(2)
    let (hello, events) = try follow(inbox)
    #expect(hello["cursor"] == 2 && hello["version"] == "1.2.3")
    #expect(hello["environment"] == "sandbox" && hello["started"]?.string != nil)
    for id in 3...5 {
      inbox.receive()
      let event = try #require(events.next())
      #expect(event.name == "push" && event.id == id)
      #expect(try JSONReader().read(event.data)["id"] == JSON(.number(JSONNumber(id))))
    }
    #expect(try inbox.call("DELETE", "pushes").status == 200)
    #expect(events.next()?.name == "clear")
  }

  @Test("begin with the names of devices")
  func names() throws {
    let inbox = try TestInbox { $0.deviceNames = [TestInbox.token: "annas-phone"] }
    #expect(try follow(inbox).hello["names"]?[TestInbox.token] == "annas-phone")
    #expect(try follow(try TestInbox()).hello["names"] == [:])
  }

  @Test("begin with the environment, as its health does", arguments: EmulatorEnvironment.allCases)
  func environment(_ environment: EmulatorEnvironment) throws {
    let inbox = try TestInbox { $0.environment = environment }
    let name = JSON(.string(environment.rawValue))
    #expect(try follow(inbox).hello["environment"] == name)
    #expect(try inbox.call("health").json["environment"] == name)
  }

  @Test("go on after the last one that a client knows")
  func again() throws {
    let inbox = try TestInbox()
    inbox.receive(4)
    let (_, asked) = try follow(inbox, "?after=2")
    #expect(asked.next()?.id == 3 && asked.next()?.id == 4)
    let (_, browser) = try follow(inbox, "?after=1", ["last-event-id": "3"])
    #expect(browser.next()?.id == 4)
    let (_, damaged) = try follow(inbox, "", ["last-event-id": "x"])
    inbox.receive()
    #expect(damaged.next()?.id == 5)
  }

  @Test("say what was missed")
  func missed() throws {
    let inbox = try TestInbox(keeping: 3)
    inbox.receive(10)
    let (_, events) = try follow(inbox, "?after=2")
    let first = try #require(events.next())
    #expect(first.name == "missed" && first.data == #"{"count":5}"#)
    #expect((8...10).allSatisfy { events.next()?.id == $0 })
  }

  @Test("tell a client that comes back what was cleared meanwhile, and no other client")
  func clearedMeanwhile() throws {
    let inbox = try TestInbox()
    inbox.receive(30)
    #expect(try inbox.call("DELETE", "pushes").status == 200)
    let (_, late) = try follow(inbox, "", ["last-event-id": "3"])
    #expect(late.next() == EventReader.Event(name: "clear", id: 30, data: "{}"))
    let (_, current) = try follow(inbox, "", ["last-event-id": "30"])
    let (_, new) = try follow(inbox)
    inbox.receive()
    for events in [late, current, new] { #expect(events.next()?.id == 31) }
  }

  @Test("tell of it once, however often a client comes back")
  func clearedOnce() throws {
    let inbox = try TestInbox()
    inbox.receive(2)
    let (_, first) = try follow(inbox, "?after=1")
    #expect(first.next()?.id == 2)
    #expect(try inbox.call("DELETE", "pushes").status == 200)
    let clear = try #require(first.next())
    #expect(clear.name == "clear")
    let last = try #require(clear.id)
    let (_, again) = try follow(inbox, "?after=1", ["last-event-id": "\(last)"])
    inbox.receive()
    #expect(again.next()?.name == "push")
    // Of an emulator that is gone, which knew more.
    let (_, other) = try follow(inbox, "", ["last-event-id": "500"])
    #expect(other.next() == EventReader.Event(name: "clear", id: 2, data: "{}"))
    #expect(other.next()?.id == 3)
  }

  @Test("begin anew for a client of an emulator that is gone")
  func restarted() throws {
    let inbox = try TestInbox()
    inbox.receive(2)
    let (_, events) = try follow(inbox, "", ["last-event-id": "500"])
    #expect(events.next()?.name == "clear")
    #expect(events.next()?.id == 1 && events.next()?.id == 2)
  }

  @Test(
    "cost a position: a client that did not read gets what is still there, the rest it missed"
  )
  func slowReader() throws {
    let inbox = try TestInbox(keeping: 5)
    let (_, events) = try follow(inbox)
    // More than the buffers of a connection hold.
    inbox.receive(10_000, size: 4000)
    var (pushes, missed, last) = (0, 0, 0)
    while last < 10_000, let event = events.next() {
      if event.name == "missed" {
        missed += try #require(try JSONReader().read(event.data)["count"]?.number?.int)
      } else {
        pushes += 1
        last = try #require(event.id)
      }
    }
    #expect(last == 10_000 && pushes + missed == 10_000 && missed > 0)
  }

  @Test("end when the inbox stops, and so do those who wait")
  func end() throws {
    let inbox = try TestInbox()
    let (_, events) = try follow(inbox)
    let waiting = try inbox.connect()
    waiting.send("GET", "/api/v1/wait?timeout=10m")
    #expect(waiting.head()?.status == 200)
    inbox.inbox.stop()
    #expect(events.next() == nil)
    #expect(waiting.chunk()?.isEmpty ?? true)
    #expect(throws: (any Error).self) { try inbox.connect() }
  }
}
