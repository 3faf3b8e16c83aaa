package org.understudy.session;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletException;
import java.io.IOException;
import java.util.Objects;
import org.apache.catalina.Context;
import org.apache.catalina.Globals;
import org.apache.catalina.connector.ClientAbortException;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.tomcat.util.descriptor.web.ErrorPage;
import org.understudy.session.http.BufferedResponse;

/**
 * The error pages of {@code web.xml}. Tomcat's host shows them when the request has left the web application. Here they belong to the run,
 * so that what they change in the session belongs to the request's update, and a duplicate gets the page.
 */
final class ErrorPages {
  private ErrorPages() {}

  /** The page for the error with which the web application has ended; null for none, or without an error. */
  static ErrorPage find(Request request, Response response) {
    if (!response.isErrorReportRequired()) {
      return null;
    }
    Context context = request.getContext();
    Throwable thrown = (Throwable) request.getAttribute(RequestDispatcher.ERROR_EXCEPTION);
    if (thrown != null) {
      Throwable cause = cause(thrown);
      if (cause instanceof ClientAbortException) {
        return null;
      }
      ErrorPage page = context.findErrorPage(thrown);
      page = page == null ? context.findErrorPage(cause) : page;
      if (page != null) {
        return page;
      }
    }
    ErrorPage page = context.findErrorPage(response.getStatus());
    return page == null ? context.findErrorPage(0) : page;
  }

  private static Throwable cause(Throwable thrown) {
    Throwable root = thrown instanceof ServletException wrapper ? wrapper.getRootCause() : null;
    return root == null ? thrown : root;
  }

  /**
   * Shows the page for the error, if there is one. Where the page fails, or the answer has begun, the error stays for Tomcat's host.
   *
   * @param answer takes what the page writes
   */
  static void show(Request request, Response response, BufferedResponse answer) {
    ErrorPage page = find(request, response);
    RequestDispatcher dispatcher =
        page == null || response.isCommitted() ? null : request.getContext().getServletContext().getRequestDispatcher(page.getLocation());
    if (dispatcher == null) {
      return;
    }
    int status = response.getStatus();
    setAttributes(request, response, page);
    response.setAppCommitted(false);
    response.setSuspended(false);
    response.resetBuffer(true);
    response.setContentLength(-1);
    answer.beginErrorPage();
    try {
      dispatcher.forward(request.getRequest(), answer);
      response.setErrorReported();
    } catch (ServletException | IOException | RuntimeException e) {
      request.getContext().getLogger().error("The error page " + page.getLocation() + " for the status " + status + " has failed.", e);
      response.setStatus(status);
    }
  }

  /** What the page can ask for, as Tomcat's host sets it. */
  private static void setAttributes(Request request, Response response, ErrorPage page) {
    Throwable thrown = (Throwable) request.getAttribute(RequestDispatcher.ERROR_EXCEPTION);
    request.setAttribute(RequestDispatcher.ERROR_STATUS_CODE, response.getStatus());
    String message = thrown == null ? response.getMessage() : thrown.getMessage();
    request.setAttribute(RequestDispatcher.ERROR_MESSAGE, Objects.requireNonNullElse(message, ""));
    if (thrown != null) {
      request.setAttribute(RequestDispatcher.ERROR_EXCEPTION, cause(thrown));
      request.setAttribute(RequestDispatcher.ERROR_EXCEPTION_TYPE, cause(thrown).getClass());
    }
    request.setAttribute(RequestDispatcher.ERROR_METHOD, request.getMethod());
    request.setAttribute(RequestDispatcher.ERROR_REQUEST_URI, request.getRequestURI());
    if (request.getQueryString() != null) {
      request.setAttribute(RequestDispatcher.ERROR_QUERY_STRING, request.getQueryString());
    }
    if (request.getWrapper() != null) {
      request.setAttribute(RequestDispatcher.ERROR_SERVLET_NAME, request.getWrapper().getName());
    }
    request.setAttribute(Globals.DISPATCHER_REQUEST_PATH_ATTR, page.getLocation());
    request.setAttribute(Globals.DISPATCHER_TYPE_ATTR, DispatcherType.ERROR);
  }
}
