package desk;

import jakarta.annotation.PostConstruct;
import jakarta.annotation.Resource;
import jakarta.jws.WebService;

/** What cannot be generated for. */
@WebService
public class Refused {
  public Refused(Closed closed) {}

  @PostConstruct
  void begin() {}

  @Resource
  public void setContext(String context) {}

  public void enter(String room) {}

  public void leave() {}

  public void use(Named named) {}

  public sealed interface Closed permits Refused.State {
    void open();
  }

  public static final class State implements Closed {
    @Override
    public void open() {}
  }
}
