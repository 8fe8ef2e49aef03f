// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import jakarta.servlet.ServletContainerInitializer;
import jakarta.servlet.ServletContext;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.core.StandardContext;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.descriptor.web.ErrorPage;
import org.springframework.util.FileSystemUtils;

/** Embedded Tomcat. */
final class TomcatServer implements WebServer {

  private final Tomcat tomcat = new Tomcat();

  private Path base;

  private TomcatServer() {}

  static WebServer start(Consumer<ServletContext> setup) throws Exception {
    TomcatServer server = new TomcatServer();
    server.run(setup);
    return server;
  }

  private void run(Consumer<ServletContext> setup) throws Exception {
    base = Files.createTempDirectory("dedup-http-tomcat");
    tomcat.setBaseDir(base.toString());
    Connector connector = new Connector();
    connector.setPort(0);
    connector.setProperty("address", "127.0.0.1");
    tomcat.setConnector(connector);
    tomcat.setSilent(true);
    StandardContext context = (StandardContext) tomcat.addContext("", base.toString());
    // They look for leaks of an application that can be deployed again, and need JVM options.
    context.setClearReferencesRmiTargets(false);
    context.setClearReferencesThreadLocals(false);
    context.setClearReferencesStopThreads(false);
    ErrorPage page = new ErrorPage();
    page.setLocation("/error");
    context.addErrorPage(page);
    Failure failure = new Failure();
    ServletContainerInitializer initializer =
        (classes, servletContext) -> failure.of(() -> setup.accept(servletContext));
    context.addServletContainerInitializer(initializer, Set.of());
    tomcat.start();
    if (failure.thrown != null) {
      close();
      throw failure.thrown;
    }
  }

  /** A container would swallow it. */
  static final class Failure {
    RuntimeException thrown;

    void of(Runnable setup) {
      try {
        setup.run();
      } catch (RuntimeException e) {
        thrown = e;
      }
    }
  }

  @Override
  public int port() {
    return tomcat.getConnector().getLocalPort();
  }

  @Override
  public void close() throws Exception {
    tomcat.stop();
    tomcat.destroy();
    FileSystemUtils.deleteRecursively(base);
  }
}
