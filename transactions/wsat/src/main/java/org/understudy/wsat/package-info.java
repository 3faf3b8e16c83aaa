/** WS-AtomicTransaction in a web application: Narayana's transaction service, its endpoints, and its end. */
package org.understudy.wsat;
