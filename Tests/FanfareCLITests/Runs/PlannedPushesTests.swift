import APNS
import CommandLineKit
import PushModel
import Recipients
import SendingSupport
import TestSupport
import Testing

@testable import FanfareCLI
@testable import Runs
@testable import Settings

/// A message to recipients that nobody has sent to yet.
struct PlannedSample {
  let message: Message
  private let recipients: PlannedRecipients

  init(_ sources: [RecipientSource], _ words: String...) throws {
    let options = try SendCommand.parse(
      ["--no-history", "--bundle-id", "a.b", "--body", "Hi"] + words
    ).options
    let settings = try options.merged(context())
    var assembly = DraftAssembly(settings, context())
    message = try Message(
      assembly.draft(), variables: assembly.variables, in: RuleContext(now: presentSecond),
      force: false)
    recipients = try PlannedRecipients(
      RunRecipients(sources, without: Suppression(settings, context())),
      ListChoices(settings, DeliveryChoices(settings), copiesBeside: nil), .new, context())
  }

  func pushes(upTo limit: Int = PlannedPushes.limit) throws -> PlannedPushes {
    try PlannedPushes(message, to: recipients, upTo: limit)
  }
}

@Suite("The pushes of a plan")
struct PlannedPushesTests {
  @Test("are counted exactly up to the limit, and above it at least that many are known")
  func limit() throws {
    for (count, isExact) in [(299, true), (300, true), (301, false), (700, false)] {
      let pushes = try PlannedSample([.tokens(try deviceTokens(count))]).pushes(upTo: 300)
      #expect(pushes.count == min(count, 300) && pushes.isExact == isExact, "\(count)")
    }
    #expect(PlannedPushes.limit == 1_000_000)
  }

  @Test("have a digest that tells other recipients, other rows and what follows above the limit")
  func digest() throws {
    try withTemporaryFolder { folder in
      func digest(_ text: String, upTo limit: Int = 9) throws -> [UInt8] {
        let path = try folder.write("list.csv", text)
        return try PlannedSample([.file(path)], "--title", "{{name|default('you')}}")
          .pushes(upTo: limit).digest.bytes
      }
      let (ada, bo) = ("\(tokenText(1)),Ada\n", "\(tokenText(2)),Bo\n")
      let first = try digest("token,name\n" + ada + bo)
      #expect(try digest("token,name\n" + ada + bo) == first)
      #expect(
        try digest("token,name,city\n\(tokenText(1)),Ada,Rome\n\(tokenText(2)),Bo,\n") == first)
      for other in [
        "token,name\n" + ada, "token,name\n" + bo + ada, "token,name\n\(tokenText(1)),Al\n" + bo,
      ] {
        #expect(try digest(other) != first)
      }
      let cut = try digest("token,name\n" + ada + bo, upTo: 1)
      #expect(try digest("token,name\n" + ada + "\(tokenText(3)),Bo\n", upTo: 1) != cut)
      #expect(try digest("token,name\n" + ada + bo, upTo: 1) == cut)
    }
  }

  @Test("have one of them that is not skipped, and none while no recipient is known")
  func sample() throws {
    try withTemporaryFolder { folder in
      let path = try folder.write(
        "list.csv", "token,badge\n\(tokenText(1)),many\n\(tokenText(2)),3\n")
      let sample = try PlannedSample([.file(path)], "--set", "aps.badge={{badge|number}}")
        .pushes().sample
      #expect(sample?.token == tokenText(2))
      let payload = String(decoding: sample?.payload ?? [], as: UTF8.self)
      #expect(payload.contains(#""badge":3"#))
    }
    let unknown = try PlannedSample([.standardInput], "--title", "{{name}}").pushes()
    #expect(unknown.sample == nil && unknown.count == 0 && !unknown.isExact)
    let constant = try PlannedSample([.standardInput]).pushes()
    #expect(constant.sample?.token == nil && constant.sample?.payload.isEmpty == false)
  }

  @Test("are digested piece by piece, wherever a block ends")
  func pieces() {
    func digest(_ pieces: String...) -> [UInt8] {
      var digest = PlanDigest()
      for piece in pieces { digest.add(piece) }
      return digest.bytes
    }
    #expect(digest("ab", "c") != digest("a", "bc") && digest("") != digest())
    let long = String(repeating: "x", count: 70_000)
    #expect(digest(long, "y") != digest(long, "z") && digest(long, "y") == digest(long, "y"))
    #expect(digest("a", long) != digest("b", long))
  }
}
