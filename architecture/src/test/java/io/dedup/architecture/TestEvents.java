// SPDX-License-Identifier: Apache-2.0
package io.dedup.architecture;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * What became of the tests of one module, from the events that JUnit writes.
 *
 * <p>Surefire's own reports will not do: a nested class with a name of its own is counted wrongly
 * there, and a class whose set-up gives up on an assumption leaves no trace.
 */
final class TestEvents {

  private final Map<String, Node> running = new HashMap<>();
  private final List<String> skipped = new ArrayList<>();
  private final List<String> failed = new ArrayList<>();
  private int passed;

  /** A test, or a container of tests such as a class, of which only trouble counts. */
  private static final class Node {
    private String uniqueId = "";
    private boolean isTest;
  }

  static TestEvents none() {
    return new TestEvents();
  }

  static TestEvents read(Path report) throws IOException {
    TestEvents events = new TestEvents();
    XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    try (InputStream in = Files.newInputStream(report)) {
      events.readAll(factory.createXMLStreamReader(in));
    } catch (XMLStreamException e) {
      throw new IOException(report + ": must be a complete report, was cut short or damaged", e);
    }
    return events;
  }

  int passed() {
    return passed;
  }

  /** What was skipped or gave up on an assumption. */
  List<String> skipped() {
    return skipped;
  }

  List<String> failed() {
    return failed;
  }

  private void readAll(XMLStreamReader xml) throws XMLStreamException {
    Node node = new Node();
    String finished = "";
    while (xml.hasNext()) {
      if (xml.next() != XMLStreamConstants.START_ELEMENT) {
        continue;
      }
      switch (xml.getLocalName()) {
        case "started" -> {
          node = new Node();
          running.put(xml.getAttributeValue(null, "id"), node);
        }
        case "uniqueId" -> node.uniqueId = xml.getElementText();
        case "type" -> node.isTest = xml.getElementText().equals("TEST");
        case "finished" -> finished = xml.getAttributeValue(null, "id");
        case "result" -> end(running.remove(finished), xml.getAttributeValue(null, "status"));
        default -> {}
      }
    }
    running.values().forEach(n -> failed.add(n.uniqueId + " never ended"));
  }

  private void end(Node node, String status) {
    switch (status) {
      case "SUCCESSFUL" -> passed += node.isTest ? 1 : 0;
      case "SKIPPED", "ABORTED" -> skipped.add(node.uniqueId);
      default -> failed.add(node.uniqueId);
    }
  }
}
