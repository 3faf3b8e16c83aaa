/** What happened to resources, told as messages on topics (the notifications of WSRF 1.2). */
package org.understudy.wsrf.notification;
