/** Figure 8a: requests for which a server accepts no connection, against the number of clients that connect for each request. */
package org.understudy.lab.group.refusal;
