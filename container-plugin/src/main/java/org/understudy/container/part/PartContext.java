package org.understudy.container.part;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.Servlet;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletRegistration;
import jakarta.servlet.http.HttpServletRequest;
import java.util.EnumSet;
import java.util.List;
import java.util.function.Predicate;
import org.understudy.container.caller.Caller;
import org.understudy.container.caller.ConcurrencyLimiter;
import org.understudy.container.configuration.Configuration;
import org.understudy.container.intake.BodyFilter;
import org.understudy.container.response.Answers;
import org.understudy.replication.runtime.share.LocalShares;

/** A starting web application, as a part of it sees it. Used by one thread. */
public final class PartContext {
  private final ServletContext application;
  private final Configuration configuration;
  private final LocalShares held;
  private final ConcurrencyLimiter limiter;

  /**
   * @param configuration of any group of the web application
   * @param held limits the memory of all requests in progress
   * @param limiter limits the number of all requests in progress
   */
  public PartContext(ServletContext application, Configuration configuration, LocalShares held, ConcurrencyLimiter limiter) {
    this.application = application;
    this.configuration = configuration;
    this.held = held;
    this.limiter = limiter;
  }

  /** Returns the path of the web application, empty for the root. */
  public String contextPath() {
    return application.getContextPath();
  }

  /** Returns the loader of the web application's classes. */
  public ClassLoader classLoader() {
    return application.getClassLoader();
  }

  /** Returns settings that all groups of the web application share. */
  public Configuration configuration() {
    return configuration;
  }

  /**
   * Adds a servlet of endpoints. Its requests count against the limits of the web application: the size of a body and the time in which it
   * arrives, the memory of requests in progress, each client's share of it, and the number of requests in progress.
   *
   * @param name begins with {@code understudy-}
   * @param check examines each message
   * @param paths URL patterns that end with {@code /*}
   */
  public void add(String name, Servlet servlet, MessageCheck check, List<String> paths) {
    String[] patterns = paths.toArray(new String[0]);
    Predicate<HttpServletRequest> all = request -> true;
    map(
        name + "-bodies",
        new BodyFilter(
            request -> configuration.requestBytes(),
            configuration.requestBody(),
            held,
            (request, response, version, failure) -> Answers.refuse(response, 503, failure.sentence()),
            request -> Caller.of(request).owner(),
            all),
        patterns);
    map(name + "-guard", new EndpointGuard(limiter, configuration.requestBytes(), check), patterns);
    ServletRegistration.Dynamic registration = application.addServlet(name, servlet);
    registration.setAsyncSupported(true);
    registration.setLoadOnStartup(1);
    registration.addMapping(patterns);
  }

  private void map(String name, Filter filter, String... paths) {
    FilterRegistration.Dynamic registration = application.addFilter(name, filter);
    registration.setAsyncSupported(true);
    registration.addMappingForUrlPatterns(EnumSet.of(DispatcherType.REQUEST, DispatcherType.ASYNC), false, paths);
  }
}
