// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import java.net.URI;
import java.net.http.HttpRequest;
import java.util.ArrayList;
import java.util.List;

/** As much of curl and a shell as the manual needs, so that its sessions run where neither is. */
final class CurlCommand {

  private CurlCommand() {}

  /** Returns the request that a command line sends; {@code $BASE} is the server's address. */
  static HttpRequest parse(String line, String base) {
    List<String> words = words(line);
    if (!words.get(0).equals("curl")) {
      throw new IllegalArgumentException("not a curl command: " + line);
    }
    HttpRequest.Builder request = HttpRequest.newBuilder();
    String method = "GET";
    HttpRequest.BodyPublisher body = HttpRequest.BodyPublishers.noBody();
    for (int i = 1; i < words.size(); i++) {
      switch (words.get(i)) {
        case "-si", "-s", "-i" -> {}
        case "-H" -> {
          String header = words.get(++i);
          int colon = header.indexOf(':');
          request.header(header.substring(0, colon), header.substring(colon + 1).strip());
        }
        case "-d" -> {
          body = HttpRequest.BodyPublishers.ofString(words.get(++i));
          method = "POST";
        }
        case "-X" -> method = words.get(++i);
        default -> request.uri(URI.create(words.get(i).replace("$BASE", base)));
      }
    }
    return request.method(method, body).build();
  }

  private static List<String> words(String line) {
    List<String> words = new ArrayList<>();
    StringBuilder word = new StringBuilder();
    boolean quoted = false;
    for (int i = 0; i < line.length(); i++) {
      char c = line.charAt(i);
      if (c == '\'') {
        quoted = !quoted;
      } else if (c == ' ' && !quoted) {
        if (word.length() > 0) {
          words.add(word.toString());
        }
        word.setLength(0);
      } else {
        word.append(c);
      }
    }
    words.add(word.toString());
    return words;
  }
}
