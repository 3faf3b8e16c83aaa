package org.understudy.container.state;

import jakarta.jws.WebMethod;
import jakarta.jws.WebParam;
import jakarta.jws.WebService;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.understudy.replication.api.ReplicatedState;

/** Forgets to mark a part of its state. */
@WebService(targetNamespace = "urn:forgetful")
public class ForgetfulService {
  @ReplicatedState private final List<String> words = new ArrayList<>();
  /** Another one in each object. */
  private final String name = UUID.randomUUID().toString();
  private int letters;

  /** Changes what is marked. */
  @WebMethod
  public int add(@WebParam(name = "word") String word) {
    words.add(word);
    return words.size();
  }

  /** Changes what is not marked too. */
  @WebMethod
  public String count(@WebParam(name = "word") String word) {
    letters += word.length();
    words.add(word);
    return name + letters;
  }
}
