package org.understudy.container.service;

import jakarta.jws.WebService;
import java.io.IOException;
import java.util.Map;
import javax.security.auth.callback.Callback;
import javax.security.auth.callback.CallbackHandler;
import org.apache.cxf.interceptor.InInterceptors;
import org.apache.cxf.ws.security.wss4j.WSS4JInInterceptor;
import org.apache.wss4j.common.ConfigurationConstants;
import org.apache.wss4j.common.WSS4JConstants;
import org.apache.wss4j.common.ext.WSPasswordCallback;

/** A notebook that authenticates its callers by a UsernameToken in the message; a password is the name twice. */
@InInterceptors(classes = TokenNotebookService.Tokens.class)
@WebService(endpointInterface = "org.understudy.container.service.Notebook", targetNamespace = "urn:notebook")
public class TokenNotebookService extends NotebookService {
  private static final String WSSE =
      "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd";

  /** The header block of a caller. */
  public static String token(String user, String password) {
    return "<w:Security xmlns:w=\"" + WSSE + "\"><w:UsernameToken><w:Username>" + user
        + "</w:Username><w:Password Type=\"" + WSS4JConstants.PASSWORD_TEXT + "\">" + password
        + "</w:Password></w:UsernameToken></w:Security>";
  }

  /** Checks the tokens. */
  public static final class Tokens extends WSS4JInInterceptor {
    public Tokens() {
      super(
          Map.of(
              ConfigurationConstants.ACTION, ConfigurationConstants.USERNAME_TOKEN,
              ConfigurationConstants.PASSWORD_TYPE, WSS4JConstants.PW_TEXT,
              ConfigurationConstants.PW_CALLBACK_REF, new Passwords()));
    }
  }

  /** Knows the passwords. */
  public static final class Passwords implements CallbackHandler {
    @Override
    public void handle(Callback[] callbacks) throws IOException {
      for (Callback callback : callbacks) {
        if (callback instanceof WSPasswordCallback password) {
          password.setPassword(password.getIdentifier() + password.getIdentifier());
        }
      }
    }
  }
}
